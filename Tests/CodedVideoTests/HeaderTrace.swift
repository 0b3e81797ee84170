import Foundation
import TestTools

/// What FFmpeg's `trace_headers` reads in a byte stream: a list of units with the values of their syntax in order.
struct HeaderTrace {
    struct Field {
        let name: String
        /// The first bit of the unit, without emulation prevention, and the number of bits.
        let position: Int
        let width: Int
        let value: Int
    }

    /// The part of one unit, with the name that FFmpeg gives it.
    struct Unit {
        let name: String
        var fields: [Field] = []

        /// The value of the first field of a name.
        subscript(name: String) -> Int? { fields.first { $0.name == name }?.value }
        func all(_ name: String) -> [Int] { fields.filter { $0.name == name }.map(\.value) }
        /// The bit behind the last field before the alignment.
        var end: Int { fields.last { !$0.name.contains("alignment") }.map { $0.position + $0.width } ?? 0 }
    }

    private(set) var units: [Unit] = []

    init(_ stream: String, isHEVC: Bool, in folder: TestFolder) throws {
        let result = try Tool(
            "/usr/bin/ffmpeg",
            [
                "-v", "info", "-nostdin", "-nostats", "-f", isHEVC ? "hevc" : "h264", "-i", stream, "-c", "copy",
                "-bsf:v", "trace_headers", "-f", "null", "-",
            ], in: folder
        ).finish()
        guard result.status == 0 else { throw ToolFailure("\(result)") }
        // What stands before the first packet are the same sets once more.
        var isPacket = false
        for line in result.standardError.split(separator: "\n") where line.contains("trace_headers") {
            guard let text = line.split(separator: "]", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
            else { continue }
            if text.hasPrefix("Packet:") { isPacket = true }
            guard isPacket, !text.hasPrefix("Packet:"), !text.hasPrefix("nal_unit_type:") else { continue }
            let words = text.split(separator: " ")
            if let position = Int(words[0]), words.count >= 4, words[words.count - 2] == "=", !units.isEmpty,
                let value = Int(words[words.count - 1])
            {
                units[units.count - 1].fields.append(
                    Field(
                        name: String(words[1].prefix { $0 != "[" }), position: position,
                        width: words[words.count - 3].count, value: value))
            } else if Int(words[0]) == nil {
                units.append(Unit(name: text))
            }
        }
    }

    func units(_ name: String) -> [Unit] { units.filter { $0.name == name } }
}
