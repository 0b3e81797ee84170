package import SplitreelFiles

/// The cut that an AVIF's container asks for its picture (`clap` of ISO/IEC 23008-12): libavformat 5.1 hands out the
/// picture as it is coded.
package enum AvifCrop {
    /// Whether a part of the main picture is to be shown; false for files of other kinds, and where it is all of it.
    package static func isAsked(by source: any MediaSource) -> Bool {
        guard let items = AvifItems(source) else { return false }
        let properties = items.properties(of: items.primary)
        guard var cut = properties.first(where: { $0.type == BoxType.clap })?.content else { return false }
        var fractions: [UInt64] = []
        while fractions.count < 8, let number = cut.integer(4) { fractions.append(UInt64(number)) }
        // One that is cut off asks for nothing.
        guard fractions.count == 8 else { return false }
        guard var whole = properties.first(where: { $0.type == BoxType.ispe })?.content, whole.skip(4),
            let width = whole.integer(4), let height = whole.integer(4)
        else { return true }
        // Numbers of 32 bits, so that no product overflows.
        let isWide = fractions[0] == UInt64(width) * fractions[1]
        let isHigh = fractions[2] == UInt64(height) * fractions[3]
        let isWhole = isWide && isHigh
        return !isWhole || fractions[4] != 0 || fractions[6] != 0
    }
}
