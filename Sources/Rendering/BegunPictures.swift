import SplitreelTimeline

/// The pictures of own code that were begun for frames to come. Frames are begun and done in one order.
struct BegunPictures {
    private var entries: [EffectPicture: (composition: CompositorHost.Composition, frame: Int)] = [:]
    /// The numbers of frames that were begun, and that were done.
    private var begunFrames = 0
    private var doneFrames = 0
    private var last: PictureGroup?

    /// Counts a frame that is begun; answers whether there is something to begin: not where it is the last one again.
    mutating func isNext(_ recipe: PictureGroup) -> Bool {
        begunFrames += 1
        defer { last = recipe }
        return last != recipe
    }

    func has(_ effect: EffectPicture) -> Bool { entries[effect] != nil }

    mutating func add(_ effect: EffectPicture, _ composition: CompositorHost.Composition) {
        entries[effect] = (composition, begunFrames)
    }

    mutating func take(_ effect: EffectPicture) -> CompositorHost.Composition? {
        entries.removeValue(forKey: effect)?.composition
    }

    /// Counts a frame that is done, and lets go of what nobody wanted after all.
    mutating func frameIsDone() {
        doneFrames += 1
        guard !entries.isEmpty else { return }
        entries = entries.filter { $0.value.frame > doneFrames }
    }
}
