import Foundation
package import MediaTime

/// A sample of timed metadata: bytes, and when they hold.
package struct TimedSample: Sendable, Hashable, Codable {
    /// Of one track, and all of them together in bytes: a plan holds them.
    package static let mostSamples = 200_000
    package static let mostBytes = 16 << 20

    /// In asset time, half-open.
    package var start: Rational
    package var end: Rational
    package var bytes: [UInt8]

    package init(start: Rational, end: Rational, bytes: [UInt8]) {
        (self.start, self.end, self.bytes) = (start, end, bytes)
    }

    /// Times as the file's clock has them, bytes in base 64.
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

/// What a metadata track says at a time.
package struct MetadataSample: Sendable, Hashable {
    /// In composition time, half-open.
    package var start: Rational
    package var end: Rational
    /// The sample as the file has it; of text its UTF-8, without looks; of timed data one JSON object.
    package var bytes: [UInt8]
    /// libavcodec's name of what the bytes are, or the file's four characters; `text`, and `json` of a file of its own.
    package var codec: String

    package init(start: Rational, end: Rational, bytes: [UInt8], codec: String) {
        (self.start, self.end, self.bytes, self.codec) = (start, end, bytes, codec)
    }

    /// nil where it is not text.
    package var text: String? {
        codec == "text" || codec == "json" ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
