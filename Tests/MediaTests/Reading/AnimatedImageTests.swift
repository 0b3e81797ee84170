import MediaReading
import Testing

@Suite("Animated images") struct AnimatedImageTests {
    /// The head of a GIF of one pixel with a table of two colours.
    private static let head: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    private static let picture: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    private static let delay: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]

    private static func loop(_ count: Int) -> [UInt8] {
        [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, UInt8(count & 255), UInt8(count >> 8), 0]
    }

    @Test func countsAGIFsPlays() {
        let end: [UInt8] = [0x3B]
        let comment: [UInt8] = [0x21, 0xFE, 2, 65, 66, 0]
        #expect(AnimatedImage.playsOfGIF(Self.head + Self.delay + Self.picture + end) == 1)
        #expect(AnimatedImage.playsOfGIF(Self.head + Self.loop(0) + Self.picture + end) == 0)
        // It is played and then played 300 times again.
        #expect(AnimatedImage.playsOfGIF(Self.head + comment + Self.loop(300) + Self.picture + end) == 301)
        #expect(AnimatedImage.playsOfGIF(Self.head + Self.delay + Self.picture + Self.loop(2) + end) == 3)
    }

    @Test func countsAnAPNGsPlays() {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
        let header: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        let control: [UInt8] = [0, 0, 0, 8] + Array("acTL".utf8) + [0, 0, 0, 2, 0, 0, 1, 4, 9, 9, 9, 9]
        #expect(AnimatedImage.playsOfAPNG(head + header + control) == 260)
        #expect(AnimatedImage.playsOfAPNG(head + header) == 1)
    }

    /// A file may end, or lie, anywhere.
    @Test func takesAnyBytes() {
        let whole = Self.head + Self.delay + Self.picture + Self.loop(2)
        for length in whole.indices { _ = AnimatedImage.playsOfGIF(Array(whole[..<length])) }
        for place in whole.indices {
            for value: UInt8 in [0, 0x21, 0x2C, 255] {
                var bytes = whole
                bytes[place] = value
                _ = (AnimatedImage.playsOfGIF(bytes), AnimatedImage.playsOfAPNG(bytes))
            }
        }
    }
}
