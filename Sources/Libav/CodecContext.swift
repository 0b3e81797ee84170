package import CFFmpeg
internal import Diagnostics
internal import Glibc

/// Owns one AVCodecContext of an encoder. Confined to one thread at a time.
@safe
package final class CodecContext {
    package let pointer: UnsafeMutablePointer<AVCodecContext>
    private let codec: UnsafePointer<AVCodec>
    private let name: String

    package init(encoder name: String) throws {
        Libav.prepare()
        guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
            throw SplitreelError(
                .encoderUnavailable, operation: "avcodec_find_encoder_by_name", subject: name,
                reason: "this build of libavcodec lacks the encoder",
                hint: "install the package libavcodec-extra on every worker")
        }
        unsafe self.codec = codec
        self.name = name
        unsafe pointer = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    }

    deinit {
        unsafe sr_drop_kept(pointer)
        var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        guard isSVT else { return unsafe avcodec_free_context(&owned) }
        SVTGate.shared.close { unsafe avcodec_free_context(&owned) }
    }

    /// libav's fields as they are.
    package var fields: AVCodecContext { unsafe pointer.pointee }

    /// Sets libav's fields in place.
    package func update(_ body: (inout AVCodecContext) -> Void) { unsafe body(&pointer.pointee) }

    /// Opens the encoder. `subject` is the thing that the person asked for, in words. Throws `.settingsImpossible`.
    package func open(_ options: [(String, String)], subject: String) throws {
        unsafe sr_keep_subject(pointer, subject)
        let dictionary = try OptionDictionary(options)
        let result = isSVT ? SVTGate.shared.open { opened(dictionary) } : opened(dictionary)
        try check(result, "avcodec_open2", subject: subject, as: .settingsImpossible)
        try dictionary.checkAllUsed(by: name)
    }

    package var isSVT: Bool { name == "libsvtav1" }

    private func opened(_ dictionary: OptionDictionary) -> Int32 {
        // SVT-AV1 gives the thread that opens it the highest real-time priority, where it may: as root.
        var policy: Int32 = 0
        var parameters = sched_param()
        unsafe pthread_getschedparam(pthread_self(), &policy, &parameters)
        let result = unsafe avcodec_open2(pointer, codec, &dictionary.pointer)
        unsafe pthread_setschedparam(pthread_self(), policy, &parameters)
        return result
    }

    /// Hands out every packet that the encoder has ready. Returns false at the encoder's end.
    package func drain(subject: String, _ emit: (consuming Packet) throws -> Void) throws -> Bool {
        while true {
            let packet = try Packet()
            let result = unsafe avcodec_receive_packet(pointer, packet.pointer)
            if result == SR_ERROR_AGAIN { return true }
            if result == SR_ERROR_EOF { return false }
            try check(result, "avcodec_receive_packet", subject: subject, as: .encodeFailed)
            try emit(packet)
        }
    }

    /// A copy of the codec's global header.
    package var extradata: [UInt8] {
        unsafe bytes(fields.extradata, count: fields.extradata_size)
    }
}

/// A copy of the bytes that libav points to; empty for nil.
package func bytes(_ pointer: UnsafePointer<UInt8>?, count: Int32) -> [UInt8] {
    guard let pointer = unsafe pointer, count > 0 else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
}
