import MediaTime
import SplitreelProject
import SplitreelTimeline

extension RenderPlan {
    /// Writes down which of the plan's effects the sound and each chunk's frames need; chunks that need all of them say
    /// nothing, and without `uses` all do.
    mutating func noteNeeds(_ uses: [EffectUse]?) {
        noteSoundNeeds()
        guard let uses else { return }
        guard let effects, !chunks.isEmpty else { return }
        let numbers = Dictionary(uniqueKeysWithValues: effects.enumerated().map { ($1, $0) })
        // A lead and stills show other times; they may need whatever the film does.
        if stills != nil { return }
        let first = lead == nil ? 0 : 1
        let starts = chunks[first...].map { compositionTime(ofFrame: $0.firstFrame) }
        var needs = [Set<Int>](repeating: [], count: starts.count)
        for use in uses {
            let own = use.names.compactMap { numbers[$0] }
            // From the chunk in which it begins to the last one that begins before its end.
            let from = max(0, starts.partitionPoint { $0 <= use.start } - 1)
            let end = starts.partitionPoint { $0 < use.end }
            for index in from..<max(from, end) { needs[index].formUnion(own) }
        }
        for (index, needs) in needs.enumerated() {
            chunks[first + index].needs = needs.count == effects.count ? nil : needs.sorted()
        }
    }

    /// Writes down which of the plan's effects the sound needs: its taps.
    private mutating func noteSoundNeeds() {
        let taps = Set(EffectRegistry.all.filter { $0.kind == .tap }.map(\.name))
        let places = (effects ?? []).indices.filter { taps.contains(effects?[$0] ?? "") }
        soundNeeds = places.isEmpty || sampleCount == 0 ? nil : places
    }

    /// The effects that the sound needs, each as "id version".
    package var effectsOfSound: [String] { (soundNeeds ?? []).compactMap { effects?[$0] } }

    /// The effects that the chunk needs, each as "id version".
    package func effects(ofChunk index: Int) -> [String] {
        guard let effects else { return [] }
        return chunks[index].needs.map { $0.map { effects[$0] } } ?? effects
    }

    /// Whether something takes part that needs more of the system than a process in the sandbox gets, as far as this
    /// program has it.
    package var needsSystem: Bool {
        let names = Set(EffectRegistry.all.filter(\.needsSystem).map(\.name))
        return !names.isDisjoint(with: effects ?? [])
    }

    /// Whether something takes part that runs in tasks of Swift's concurrency, as far as this program has it.
    package var runsTasks: Bool {
        let names = Set(EffectRegistry.all.filter(\.runsInTasks).map(\.name))
        return !names.isDisjoint(with: effects ?? [])
    }

    /// Whether some effects are in some chunks alone: a process that lacks them can render the others.
    package var hasChunksOfOwnNeeds: Bool { effects != nil && chunks.contains { $0.needs != nil } }
}
