package import Libav
package import SplitreelProject

extension AllowedFilter {
    /// The filter of an effect call; nil where the effect is not one of libavfilter's.
    package init?(_ call: EffectCall) {
        func number(_ name: String) -> String { Self.written(call.number(name)) }
        /// A length parameter scaled to the frame, in whole pixels held within `range`.
        func length(_ name: String, _ range: ClosedRange<Int>) -> String {
            let scaled = call.number(name) * (call.scaleX * call.scaleY).squareRoot()
            return "\(Self.whole(scaled, range))"
        }
        let (name, settings): (String, String)
        switch call.id {
        case "av.unsharp":
            let size = 2 * Self.whole(call.number("radius") * (call.scaleX * call.scaleY).squareRoot(), 1...11) + 1
            (name, settings) = (
                "unsharp",
                "luma_msize_x=\(size):luma_msize_y=\(size):luma_amount=\(number("amount")):chroma_amount=0"
            )
        case "av.avgblur":
            (name, settings) = ("avgblur", "sizeX=\(length("radius", 1...1024)):sizeY=\(length("radius", 1...1024))")
        case "av.cas": (name, settings) = ("cas", "strength=\(number("strength"))")
        case "av.median":
            (name, settings) = ("median", "radius=\(length("radius", 1...32)):percentile=\(number("percentile"))")
        case "av.dilation": (name, settings) = ("dilation", "")
        case "av.erosion": (name, settings) = ("erosion", "")
        case "av.yaepblur":
            (name, settings) = (
                "yaepblur", "radius=\(length("radius", 1...64)):sigma=\(Self.whole(call.number("sigma"), 1...100_000))"
            )
        case "av.chromanr":
            let (size, threshold) = (length("size", 1...20), number("threshold"))
            (name, settings) = ("chromanr", "thres=\(threshold):sizew=\(size):sizeh=\(size)")
        case "av.vaguedenoiser":
            (name, settings) = ("vaguedenoiser", "threshold=\(number("threshold")):percent=\(number("percent"))")
        case "av.chromashift":
            let scales = [("cbh", call.scaleX), ("cbv", call.scaleY), ("crh", call.scaleX), ("crv", call.scaleY)]
            let parts = scales.map { "\($0)=\(Self.whole(call.number($0) * $1, -255...255))" }
            (name, settings) = ("chromashift", parts.joined(separator: ":"))
        default: return nil
        }
        self.init(name: name, settings: settings)
    }

    private static func whole(_ value: Double, _ range: ClosedRange<Int>) -> Int {
        Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }
}
