/// How samples stand for colour: layout, depth, chroma siting, colour and range.
package struct PixelEncoding: Hashable, Sendable {
    /// 8…16; above 8 the samples are 16-bit words.
    package var bitDepth: Int
    /// log2 of the chroma subsampling.
    package var chromaShiftX: Int
    package var chromaShiftY: Int
    /// Where a chroma sample's centre lies in luma samples from its block's first luma sample's centre:
    /// 0 = co-sited with it; 0.5 = between two. Left siting of 4:2:0 is (0, 0.5).
    package var chromaOffsetX: Double
    package var chromaOffsetY: Double
    /// Its matrix makes R'G'B' of samples; primaries and transfer are carried along, nothing is converted by them.
    package var colour: ColourTriple
    package var isFullRange: Bool

    package init(
        bitDepth: Int, chromaShiftX: Int, chromaShiftY: Int, chromaOffsetX: Double, chromaOffsetY: Double,
        colour: ColourTriple, isFullRange: Bool
    ) {
        self.bitDepth = bitDepth
        self.chromaShiftX = chromaShiftX
        self.chromaShiftY = chromaShiftY
        self.chromaOffsetX = chromaOffsetX
        self.chromaOffsetY = chromaOffsetY
        self.colour = colour
        self.isFullRange = isFullRange
    }

    package var matrix: ColourMatrix { colour.matrix }

    /// Samples of the one can stand as they are for samples of the other: all agrees but primaries and transfer.
    package func hasSameCodes(as other: PixelEncoding) -> Bool {
        var like = self
        (like.colour.primaries, like.colour.transfer) = (other.colour.primaries, other.colour.transfer)
        return like == other
    }
}
