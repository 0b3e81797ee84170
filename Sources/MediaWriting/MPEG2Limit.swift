internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import Outputs

extension Packet {
    /// Sets the rate and the buffer of the whole film in an MPEG-2 packet that begins with a sequence header and its
    /// extension; other packets stay. The encoder writes those of a chunk's part, and all headers of a film must be the
    /// same (ISO/IEC 13818-2, 6.2.2.1 and 6.2.2.3: units of 400 bit/s and 16,384 bits).
    borrowing func tell(_ limit: RateLimit?) throws {
        let count = 22
        guard let limit, byteCount >= count, let start = unsafe fields.data else { return }
        let head = unsafe UnsafeBufferPointer(start: start, count: count)
        guard unsafe head.starts(with: [0, 0, 1, 0xB3]), unsafe head[12..<16].elementsEqual([0, 0, 1, 0xB5]) else {
            return
        }
        try unsafe check(
            av_packet_make_writable(pointer), "av_packet_make_writable", subject: "packet", as: .internalFault)
        guard let data = unsafe fields.data else { return }
        let bytes = unsafe UnsafeMutableBufferPointer(start: data, count: count)
        let (rate, buffer) = ((limit.rate + 399) / 400, (limit.buffer + 16_383) / 16_384)
        unsafe bytes.put(rate, from: 64, bits: 18)
        unsafe bytes.put(buffer, from: 83, bits: 10)
        unsafe bytes.put(rate >> 18, from: 147, bits: 12)
        unsafe bytes.put(buffer >> 10, from: 160, bits: 8)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Puts the lowest `bits` of a number, its highest bit first, at a place counted in bits.
    fileprivate func put(_ number: Int, from place: Int, bits: Int) {
        for bit in 0..<bits {
            let (byte, mask) = ((place + bit) / 8, UInt8(0x80) >> UInt8((place + bit) % 8))
            let isSet = number >> (bits - 1 - bit) & 1 == 1
            unsafe self[byte] = isSet ? self[byte] | mask : self[byte] & ~mask
        }
    }
}
