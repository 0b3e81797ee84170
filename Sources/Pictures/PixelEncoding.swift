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
    /// Its matrix makes R'G'B' of samples, its transfer light of these.
    package var colour: ColourTriple
    package var isFullRange: Bool
    /// Nobody says which primaries it has: `colour` holds a guess, by which nothing is converted among those of
    /// standard and high definition.
    package var guessesPrimaries = false
    /// In cd/m²: how bright PQ gets, as its source says. nil: nobody says it.
    package var peak: Int?
    /// Stands in for the colour's primaries and transfer.
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

    /// Equal R'G'B' are equal light on both: nothing is to be converted but matrix, range and depth.
    package func hasSameLight(on canvas: PixelEncoding) -> Bool {
        if profile != nil { return false }
        let (own, theirs) = (colour.transfer, canvas.colour.transfer)
        return (own == theirs || (own.isGamma && theirs.isGamma)) && primaries(on: canvas) == canvas.colour.primaries
    }

    /// Samples of the one can stand as they are for samples of the other.
    package func hasSameCodes(as canvas: PixelEncoding) -> Bool {
        var like = self
        (like.colour.primaries, like.colour.transfer) = (canvas.colour.primaries, canvas.colour.transfer)
        (like.guessesPrimaries, like.peak) = (canvas.guessesPrimaries, canvas.peak)
        return like == canvas && hasSameLight(on: canvas)
    }
}
