import Foundation
import Testing

/// Matroska's checksum of one of the elements in front of the packets, which something was put into at the end. The
/// table of what is where names them first.
func expectMatroskaChecksum(of id: [UInt8], _ file: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)).prefix(1 << 16))
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: id) }) + 4
    let length = bytes[place].leadingZeroBitCount + 1
    let size = bytes[place..<(place + length)].reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * length) - 1)
    try #require(place + length + size <= bytes.count)
    let content = bytes[(place + length)..<(place + length + size)]
    try #require(content.starts(with: [0xBF, 0x84]))
    var sum = UInt32.max
    for byte in content.dropFirst(6) {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let stored = content.dropFirst(2).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    #expect(stored == ~sum)
}
