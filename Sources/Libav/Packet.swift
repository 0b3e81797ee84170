package import CFFmpeg
internal import Diagnostics

/// Owns one AVPacket. Confined to one thread at a time; sharing is an explicit `reference()`.
@safe
package struct Packet: ~Copyable {
    /// libav's packet, good as long as this value lives.
    package let pointer: UnsafeMutablePointer<AVPacket>

    package init() throws {
        unsafe pointer = try checkAllocated(av_packet_alloc(), "av_packet_alloc")
    }

    deinit {
        var owned: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&owned)
    }

    /// libav's fields as they are.
    package var fields: AVPacket { unsafe pointer.pointee }

    /// Sets libav's fields in place.
    package borrowing func update(_ body: (inout AVPacket) -> Void) { unsafe body(&pointer.pointee) }

    /// A second owner of the same data.
    package borrowing func reference() throws -> Packet {
        let copy = try Packet()
        try unsafe check(av_packet_ref(copy.pointer, pointer), "av_packet_ref", subject: "packet", as: .internalFault)
        return copy
    }

    /// Becomes another owner of the same data, and lets go of its own.
    package borrowing func take(_ other: borrowing Packet) throws {
        clear()
        try unsafe check(av_packet_ref(pointer, other.pointer), "av_packet_ref", subject: "packet", as: .internalFault)
    }

    /// Lets go of the data; the packet can be filled again.
    package borrowing func clear() { unsafe av_packet_unref(pointer) }

    /// The Adler-32 of the data; 0 without data.
    package var sum: UInt32 {
        guard let data = unsafe fields.data, fields.size > 0 else { return 0 }
        return unsafe av_adler32_update(1, data, Int(fields.size))
    }

    /// The number of samples that the decoder is to cut from the packet's end, or nil without such an order.
    package var endTrim: Int? {
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size)
        guard let data = unsafe data, size >= 10 else { return nil }
        return (4..<8).reduce(0) { unsafe $0 | Int(data[$1]) << (8 * ($1 - 4)) }
    }

    /// The number of samples that the decoder is to cut off from the packet's start on; nil without such an order.
    package var startTrim: Int? {
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size)
        guard let data = unsafe data, size >= 10 else { return nil }
        return (0..<4).reduce(0) { unsafe $0 | Int(data[$1]) << (8 * $1) }
    }

    /// Removes the order to cut samples off.
    package borrowing func dropTrim() { unsafe _ = av_packet_shrink_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, 0) }

    /// Whether it brings new settings for the decoder.
    package var isReconfiguring: Bool {
        unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil
    }

    /// A header of the codec that takes the former one's place from here on.
    package var newExtradata: [UInt8]? {
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size)
        guard let data = unsafe data, size > 0 else { return nil }
        return unsafe bytes(data, count: Int32(clamping: size))
    }

    /// Gives the packet a header of the codec that takes the former one's place from here on.
    package borrowing func setNewExtradata(_ header: [UInt8]) throws {
        let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, header.count)
        let memory = try unsafe checkAllocated(data, "av_packet_new_side_data")
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: header.count).copyBytes(from: header)
    }

    /// A packet of other data, without times, that begins a group of pictures where this one does.
    package borrowing func with(_ bytes: [UInt8]) throws -> Packet {
        let made = try Packet()
        try unsafe check(
            av_new_packet(made.pointer, Int32(clamping: bytes.count)), "av_new_packet", subject: "packet",
            as: .internalFault)
        if let data = unsafe made.fields.data {
            unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
        }
        let flags = fields.flags
        made.update { $0.flags = flags }
        return made
    }

    package var byteCount: Int { Int(fields.size) }
    /// A copy of the data.
    package var data: [UInt8] { unsafe bytes(fields.data, count: fields.size) }
    package var streamIndex: Int { Int(fields.stream_index) }
    package var isKey: Bool { fields.flags & AV_PKT_FLAG_KEY != 0 }
    /// The presentation time in units of the stream's time base; nil where libav has none.
    package var pts: Int64? { ticks(fields.pts) }
    package var dts: Int64? { ticks(fields.dts) }
    /// The length in units of the stream's time base. It is below 0 for the last packet of an Ogg file of which more is
    /// cut off than it lasts: libavformat tells that modulo 2³².
    package var duration: Int64 {
        let told = fields.duration
        return (Self.wrapped..<(1 << 32)).contains(told) ? told - (1 << 32) : told
    }

    /// The least length that stands for a negative one: no packet of sound is longer than 2²⁰ samples.
    private static let wrapped: Int64 = (1 << 32) - (1 << 20)
}

/// The time, or nil for AV_NOPTS_VALUE.
@inline(__always) package func ticks(_ value: Int64) -> Int64? { value == SR_NOPTS ? nil : value }
