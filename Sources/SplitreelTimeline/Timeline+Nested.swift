import MediaTime

extension Timeline {
    /// The picture at a time for a composition that shows this one in a track: sampled and held on its own frames,
    /// which `times` may say, of its own size. O(layers · log n).
    func picture(heldAt time: Rational, _ times: FrameTimes?, for track: Int) -> PictureNode {
        var group = recipe(at: frameTime(heldAt: time, times)).resolved { source in
            var source = source
            // The number need only tell readers apart; neighbouring tracks' are far from each other.
            source.track = (track &* 0x9E37_79B9_7F4A_7C1 &+ source.track &+ 1) | 1 << 62
            return .source(source)
        }
        group.showsMatteAlone = true
        group.colour = writtenColour
        return .group(group)
    }

    private func frameTime(heldAt time: Rational, _ times: FrameTimes?) -> Rational {
        if let times { return times.time(ofFrame: max(0, times.frame(at: time))) }
        let grid = FrameGrid(frameDuration: frameDuration)
        let last = max(0, grid.frameCount(duration: duration) - 1)
        return grid.time(ofFrame: min(max(0, grid.frame(at: time)), last))
    }
}
