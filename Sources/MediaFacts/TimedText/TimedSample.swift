import Foundation
package import JSONText
package import MediaTime

/// A sample of timed metadata: bytes, and the time in which they hold.
package struct TimedSample: Sendable, Hashable, Codable {
    /// The most samples of one track, and the most bytes of all of them together: a plan holds them.
    package static let mostSamples = 200_000
    package static let mostBytes = 16 << 20

    /// The time in which the sample holds, in seconds of asset time, half-open.
    package var start: Rational
    package var end: Rational
    package var bytes: [UInt8]

    package init(start: Rational, end: Rational, bytes: [UInt8]) {
        self.start = start
        self.end = end
        self.bytes = bytes
    }

    /// Reads the two times, as a film's clock has them, and the bytes, in base 64.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer().decode([String].self)
        guard values.count == 3, let start = MediaTime(text: values[0])?.exact,
            let end = MediaTime(text: values[1])?.exact, let data = Data(base64Encoded: values[2])
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a sample is two times and bytes in base 64"))
        }
        self.init(start: start, end: end, bytes: [UInt8](data))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.singleValueContainer()
        try values.encode([start.mediaTime.text, end.mediaTime.text, Data(bytes).base64EncodedString()])
    }
}

/// The sample that a metadata track has at a time.
package struct MetadataSample: Sendable, Hashable {
    /// The time in which the sample holds, in seconds of composition time, half-open.
    package var start: Rational
    package var end: Rational
    /// The bytes as the file has them; for text its UTF-8, without looks; for timed data one JSON object.
    package var bytes: [UInt8]
    /// The name of what the bytes are, libavcodec's or the file's four characters; `text` for text, and `json` for a
    /// file of timed data.
    package var codec: String

    package init(start: Rational, end: Rational, bytes: [UInt8], codec: String) {
        self.start = start
        self.end = end
        self.bytes = bytes
        self.codec = codec
    }

    /// The content of a sample, as texts and compositors take it.
    package enum Content: Sendable, Hashable {
        /// A JSON object's values by their names.
        case data([String: JSONValue])
        case words(String)
        /// Bytes of a kind that only a compositor knows.
        case other
    }

    /// The content, read from the bytes with each call.
    package var content: Content {
        guard codec == "text" || codec == "json" else { return .other }
        if let values = JSONValue.members(of: bytes) { return .data(values) }
        return .words(String(decoding: bytes, as: UTF8.self))
    }
}
