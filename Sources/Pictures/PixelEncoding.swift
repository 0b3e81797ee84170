/// The meaning of samples: layout, depth, chroma siting, colour and range.
package struct PixelEncoding: Hashable, Sendable {
    /// The bits of a sample, 8…16; above 8 the samples are 16-bit words.
    package var bitDepth: Int
    /// The base-2 logarithms of the chroma subsampling, horizontally and vertically.
    package var chromaShiftX: Int
    package var chromaShiftY: Int
    /// The offset of a chroma sample's centre, in luma samples, from the centre of its block's first luma sample: 0 is
    /// co-sited with it, 0.5 lies between two. Left siting of 4:2:0 is (0, 0.5).
    package var chromaOffsetX: Double
    package var chromaOffsetY: Double
    /// The colour, whose matrix makes R'G'B' of samples, and whose transfer makes light of these.
    package var colour: ColourTriple
    package var isFullRange: Bool
    /// Whether nobody says which primaries the samples have: `colour` holds a guess, by which nothing is converted
    /// among those of standard and high definition.
    package var guessesPrimaries = false
    /// The light that PQ reaches, in cd/m², as its source says; nil where nobody says it.
    package var peak: Int?
    /// The profile that stands in for the colour's primaries and transfer; nil where these count.
    package var profile: ColourProfile?

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

    /// The primaries that samples have on a canvas.
    package func primaries(on canvas: PixelEncoding) -> ColourPrimaries {
        let theirs = canvas.colour.primaries
        return guessesPrimaries && colour.primaries.isOrdinary && theirs.isOrdinary ? theirs : colour.primaries
    }

    /// Whether equal R'G'B' are equal light on both: nothing is to be converted but matrix, range and depth.
    package func hasSameLight(on canvas: PixelEncoding) -> Bool {
        if profile != nil { return false }
        let (own, theirs) = (colour.transfer, canvas.colour.transfer)
        return (own == theirs || (own.isGamma && theirs.isGamma)) && primaries(on: canvas) == canvas.colour.primaries
    }

    /// Whether samples of the one can stand as they are for samples of the other.
    package func hasSameCodes(as canvas: PixelEncoding) -> Bool {
        var like = self
        (like.colour.primaries, like.colour.transfer) = (canvas.colour.primaries, canvas.colour.transfer)
        (like.guessesPrimaries, like.peak) = (canvas.guessesPrimaries, canvas.peak)
        return like == canvas && hasSameLight(on: canvas)
    }
}
