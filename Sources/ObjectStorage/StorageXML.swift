import Diagnostics

/// The short XML documents of S3, of which only the texts of some elements are wanted. Nothing is expanded but the five
/// entities of XML and numbers; documents are 64 KiB at most, and lists 2 MiB.
package struct StorageXML {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The most bytes of one text.
    private static let mostTextBytes = 4096

    /// The text of the first element of that name; nil where there is none, or one without an end.
    package func first(_ name: String) -> String? { all(name, most: 1).first }

    /// Whether an element of that name is there.
    package func has(_ name: String) -> Bool { find("<\(name)>", from: 0) != nil || find("<\(name) ", from: 0) != nil }

    /// The texts of the elements of that name, in order, as far as they hold no further element.
    package func all(_ name: String, most: Int = 1000) -> [String] {
        var texts: [String] = []
        var place = 0
        while texts.count < most, let start = find("<\(name)>", from: place),
            let end = find("</\(name)>", from: start)
        {
            let from = start + name.utf8.count + 2
            let raw = bytes[from..<max(from, end)].prefix(Self.mostTextBytes)
            texts.append(Self.decoded(String(decoding: raw, as: UTF8.self)))
            place = end
        }
        return texts
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard let head = wanted.first, bytes.count - wanted.count >= start else { return nil }
        return (start...bytes.count - wanted.count).first { bytes[$0] == head && bytes[$0...].starts(with: wanted) }
    }

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    private static func decoded(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let behind = rest[rest.index(after: start)...]
            guard let end = behind.firstIndex(of: ";"), let character = character(behind[..<end]) else {
                result += "&"
                rest = behind
                continue
            }
            result += character
            rest = behind[behind.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        if let known = entities[String(name)] { return known }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// The text with what XML would take for markup written as entities.
    static func encoded(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
