/// One message of supplemental enhancement information (SEI), equal in form in H.264 and HEVC.
package struct SEIMessage: Hashable, Sendable {
    /// `payloadType`: 0 buffering period, 1 picture timing, 4 registered user data.
    package let type: Int
    /// The payload without emulation prevention.
    package let payload: [UInt8]

    package init(type: Int, payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }

    /// Whether the message holds captions as ATSC A/53 has them: registered user data of the United States with `GA94`
    /// and the code 3.
    package var isCaptions: Bool {
        type == 4 && payload.starts(with: [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03])
    }

    /// The messages of an SEI unit whose NAL header has `headerLength` bytes. Throws `.ended` where a size leads behind
    /// the end.
    package static func list(
        of unit: some Collection<UInt8>, headerLength: Int
    ) throws(BitstreamFault) -> [SEIMessage] {
        let bytes = EmulationPrevention.removed(from: unit)
        guard let end = BitReader.contentLength(bytes) else { throw .ended }
        // Messages are whole bytes; the trailing bits are one more.
        let limit = (end + 7) / 8
        var messages: [SEIMessage] = []
        var index = headerLength
        func number() throws(BitstreamFault) -> Int {
            var sum = 0
            while index < limit {
                let byte = Int(bytes[index])
                index += 1
                sum += byte
                if byte != 255 { return sum }
            }
            throw .ended
        }
        while index < limit {
            let type = try number()
            let size = try number()
            guard size <= limit - index else { throw .ended }
            messages.append(SEIMessage(type: type, payload: Array(bytes[index..<index + size])))
            index += size
        }
        return messages
    }

    /// An SEI unit of messages behind the bytes of a NAL header.
    package static func unit(header: [UInt8], _ messages: [SEIMessage]) -> [UInt8] {
        var bytes = header
        for message in messages {
            for number in [message.type, message.payload.count] {
                bytes += Array(repeating: 255, count: number / 255) + [UInt8(number % 255)]
            }
            bytes += message.payload
        }
        return EmulationPrevention.added(to: bytes + [0x80])
    }
}
