/// A filter of libavfilter that effects may use, with its settings. It makes each picture of one picture alone, in any
/// of the film's formats, by integers or by plain floats, the same on every machine. Only numbers of an effect go into
/// the settings.
package struct AllowedFilter: Hashable, Sendable {
    package let name: String
    /// The settings as libavfilter reads them.
    package let settings: String

    package init(name: String, settings: String) { (self.name, self.settings) = (name, settings) }

    /// The number's text with six decimals, whatever the locale is; limited to ±10⁹.
    package static func written(_ value: Double) -> String {
        let millionths = Int((min(max(value, -1e9), 1e9) * 1e6).rounded())
        let (whole, part) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        let decimals = String(part + 1_000_000).dropFirst()
        return (millionths < 0 ? "-" : "") + "\(whole).\(decimals)"
    }
}
