package import MediaFacts
package import Pictures

extension AssetFacts {
    /// The facts as the stand-in for the picture of an asset; `original` has the facts of the asset's own files, as
    /// they say themselves.
    ///
    /// The stand-in's own tags count. Where it has none, or the very ones that the original has, it is the original's
    /// picture made smaller: what the composition says of the original holds for it too. Fields do not outlast another
    /// height.
    package func standingIn(for original: AssetFacts, of file: FileSettings) -> AssetFacts {
        guard let mine = firstTrack(of: .video)?.video, let theirs = original.firstTrack(of: .video)?.video else {
            return self
        }
        var asked = file
        let namesField = file.deinterlace == .top || file.deinterlace == .bottom || file.deinterlace == .pulldown
        if namesField, mine.codedSize.height != theirs.codedSize.height { asked.deinterlace = .auto }
        let facts = original.kind == .media || original.kind == .livePhoto ? shown(as: asked) : self
        let overrides = mine.overrides(standingInFor: theirs, said: file.overrides ?? ColourOverrides())
        return facts.overridden(by: overrides == ColourOverrides() ? nil : overrides)
    }
}

extension VideoFacts {
    /// The colour tags that stand in for a proxy's own, `said` being those that do for the original's.
    fileprivate func overrides(standingInFor original: VideoFacts, said: ColourOverrides) -> ColourOverrides {
        var overrides = ColourOverrides()
        if colour == nil || colour == original.colour {
            overrides.primaries = said.primaries
            overrides.transfer = said.transfer
            overrides.matrix = said.matrix
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

    /// The matrix that a proxy of this picture has where it tags none: the usual one for the picture's lines; nil where
    /// the picture is R'G'B'.
    package var matrixForProxy: ColourMatrix? { isRGB ? nil : .ofUntagged(lines: codedSize.height) }

    private var isRGB: Bool { pixelFormat == "pal8" || ["rgb", "bgr", "gbr"].contains { pixelFormat.contains($0) } }
}
