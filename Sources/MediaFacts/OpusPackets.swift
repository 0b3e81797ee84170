/// The first packets of a track of Opus, as far as all are of one length. They are told one by one, in their order.
package struct OpusPackets: Hashable, Sendable {
    /// The samples of each, at 48 kHz; nil before the first one, and where it is empty.
    package private(set) var length: Int?
    /// The number of them.
    package private(set) var count = 0
    private var isOver = false

    package init() {}

    /// Takes the next packet.
    package mutating func take(_ packet: [UInt8]) {
        guard !isOver else { return }
        let own = Self.sampleCount(of: packet)
        if count == 0 { length = own }
        isOver = own == nil || own != length
        if !isOver { count += 1 }
    }

    /// The samples of a packet at 48 kHz, by its first bytes (RFC 6716, 3.1); nil for an empty one.
    private static func sampleCount(of packet: [UInt8]) -> Int? {
        guard let first = packet.first else { return nil }
        let kind = Int(first >> 3)
        let frame =
            switch kind {
            case 0..<12: [480, 960, 1920, 2880][kind % 4]
            case 12..<16: [480, 960][kind % 2]
            default: [120, 240, 480, 960][kind % 4]
            }
        switch first & 3 {
        case 0: return frame
        case 1, 2: return 2 * frame
        default: return packet.count > 1 ? frame * Int(packet[1] & 63) : nil
        }
    }
}
