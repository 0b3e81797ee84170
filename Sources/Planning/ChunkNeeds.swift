import Composition
import MediaTime

extension RenderPlan {
    /// Writes down which of the plan's effects the sound and each chunk's frames need; chunks that need all of them say
    /// nothing, and without `uses` all do.
    mutating func noteNeeds(_ uses: [EffectUse]?) {
        noteSoundNeeds()
        guard let uses else { return }
        guard let effects, !chunks.isEmpty else { return }
        let numbers = Dictionary(uniqueKeysWithValues: effects.enumerated().map { ($1, $0) })
        let starts = chunks.map { compositionTime(ofFrame: $0.firstFrame) }
        var needs = [Set<Int>](repeating: [], count: chunks.count)
        for use in uses {
            let own = use.names.compactMap { numbers[$0] }
            // From the chunk in which it begins to the last one that begins before its end.
            let first = max(0, starts.partitionPoint { $0 <= use.start } - 1)
            let end = starts.partitionPoint { $0 < use.end }
            for index in first..<max(first, end) { needs[index].formUnion(own) }
        }
        for index in chunks.indices {
            chunks[index].needs = needs[index].count == effects.count ? nil : needs[index].sorted()
        }
    }

    /// Writes down which of the plan's effects the sound needs: its taps.
    private mutating func noteSoundNeeds() {
        let taps = Set(EffectRegistry.all.filter { $0.kind == .tap }.map(\.name))
        let places = (effects ?? []).indices.filter { taps.contains(effects?[$0] ?? "") }
        soundNeeds = places.isEmpty || sampleCount == 0 ? nil : places
    }

    /// What the sound needs, each as "id version".
    package var effectsOfSound: [String] { (soundNeeds ?? []).compactMap { effects?[$0] } }

    /// What the chunk needs, each as "id version".
    package func effects(ofChunk index: Int) -> [String] {
        guard let effects else { return [] }
        return chunks[index].needs.map { $0.map { effects[$0] } } ?? effects
    }

    /// Some effects are in some chunks alone: a process that lacks them can render the others.
    package var hasChunksOfOwnNeeds: Bool { effects != nil && chunks.contains { $0.needs != nil } }
}
