package import MediaFacts
package import Pictures

extension AssetFacts {
    /// As the stand-in for the picture of an asset, of whose own files `original` tells, as they say themselves.
    ///
    /// Tags of its own count. Where it has none, or the very ones that the original has, it is the original's picture
    /// made smaller: what the composition says of the original holds for it too. Fields do not outlast another height.
    package func standingIn(for original: AssetFacts, of asset: Asset) -> AssetFacts {
        guard let mine = firstTrack(of: .video)?.video, let theirs = original.firstTrack(of: .video)?.video else {
            return self
        }
        var asked = asset
        let namesField = asset.deinterlace == .top || asset.deinterlace == .bottom || asset.deinterlace == .pulldown
        if namesField, mine.codedSize.height != theirs.codedSize.height { asked.deinterlace = .auto }
        let facts = original.kind == .media || original.kind == .livePhoto ? shown(as: asked) : self
        let overrides = mine.overrides(standingInFor: theirs, said: asset.overrides ?? ColourOverrides())
        return facts.overridden(by: overrides == ColourOverrides() ? nil : overrides)
    }
}

extension VideoFacts {
    /// What stands in for a proxy's own tags, `said` being what does for the original's.
    fileprivate func overrides(standingInFor original: VideoFacts, said: ColourOverrides) -> ColourOverrides {
        var overrides = ColourOverrides()
        if colour == nil || colour == original.colour {
            (overrides.primaries, overrides.transfer, overrides.matrix) = (said.primaries, said.transfer, said.matrix)
        }
        if colour == nil, let theirs = original.colour {
            overrides.primaries = said.primaries ?? theirs.primaries
            overrides.transfer = said.transfer ?? theirs.transfer
            overrides.matrix = said.matrix ?? (original.isRGB ? nil : theirs.matrix)
        }
        if isFullRange == original.isFullRange { overrides.isFullRange = said.isFullRange }
        overrides.isPremultiplied = said.isPremultiplied
        return overrides
    }

    /// Whose matrix a proxy has that does not tag one; nil where the original has none either.
    package var matrixForProxy: ColourMatrix? { isRGB ? nil : .ofUntagged(lines: codedSize.height) }

    private var isRGB: Bool { pixelFormat == "pal8" || ["rgb", "bgr", "gbr"].contains { pixelFormat.contains($0) } }
}
