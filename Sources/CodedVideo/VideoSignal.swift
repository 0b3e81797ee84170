/// The colours that a parameter set states, by the numbers of ITU-T H.273; 2 stands for unknown.
package struct VideoSignal: Hashable, Sendable {
    package var isFullRange = false
    package var primaries = 2
    package var transfer = 2
    package var matrix = 2

    /// The part of a VUI from `video_signal_type_present_flag` on, equal in H.264 and HEVC.
    init(_ reader: inout BitReader) throws(BitstreamFault) {
        guard try reader.flag() else { return }
        try reader.skip(3)
        isFullRange = try reader.flag()
        guard try reader.flag() else { return }
        primaries = try reader.bits(8)
        transfer = try reader.bits(8)
        matrix = try reader.bits(8)
    }

    /// Whether any of primaries, transfer and matrix is known.
    package var namesColours: Bool { primaries != 2 || transfer != 2 || matrix != 2 }

    /// Unknown colours.
    init() {}
}

/// The shape of a sample: width to height; 0 to 0 where it is unknown.
package struct SampleAspect: Hashable, Sendable {
    package var width = 0
    package var height = 0

    private static let known: [(Int, Int)] = [
        (0, 0), (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
        (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
    ]

    /// The part of a VUI from `aspect_ratio_info_present_flag` to the overscan's, equal in H.264 and HEVC.
    init(_ reader: inout BitReader) throws(BitstreamFault) {
        if try reader.flag() {
            let number = try reader.bits(8)
            if number == 255 {
                width = try reader.bits(16)
                height = try reader.bits(16)
            } else if number < Self.known.count {
                (width, height) = Self.known[number]
            }
        }
        if try reader.flag() { try reader.skip(1) }
    }

    /// An unknown shape.
    init() {}
}

/// The duration that a parameter set gives to a tick: `units` / `scale` seconds.
package struct VideoTiming: Hashable, Sendable {
    package var units: Int
    package var scale: Int
    /// Whether the pictures are said to follow one another evenly; H.264 alone says it.
    package var isFixed = false
}

/// The edges that a decoder cuts off, in samples of luma.
package struct CroppedEdges: Hashable, Sendable {
    package var left = 0
    package var right = 0
    package var top = 0
    package var bottom = 0

    /// Four numbers in Exp-Golomb code, in units of `width` and `height` samples.
    init(_ reader: inout BitReader, width: Int, height: Int, _ name: String) throws(BitstreamFault) {
        left = try reader.ue(name, upTo: 1 << 16) * width
        right = try reader.ue(name, upTo: 1 << 16) * width
        top = try reader.ue(name, upTo: 1 << 16) * height
        bottom = try reader.ue(name, upTo: 1 << 16) * height
    }

    /// No edge.
    init() {}
}
