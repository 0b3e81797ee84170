import MediaTime

/// Deals a job's fresh chunks to slots in runs, since a slot that goes on where it stopped has its decoders there.
///
/// The film is cut into runs of about `runFrames`. A slot gets the chunks of its run in order, then the first run that
/// nobody has begun, in film order, so that the head is ready early for the stitcher. When all are begun an idle slot
/// takes the later part of the run that has most left, from where both slots end soonest: it has to decode on the way
/// to its first chunk, and the other one has a chunk in hand. So at the end slots differ by about one chunk.
/// That one should not be a dear one: a chunk that costs half of a slot's share of what is left goes before clearly
/// cheaper ones, also out of the middle of a run. Before that, nothing here depends on how many slots there are.
package struct RunQueue: Sendable {
    /// A fresh chunk: its index, its frames, its expected cost, and the cost beside it of a slot that comes from
    /// elsewhere.
    package struct Item: Sendable, Hashable {
        package var chunk: Int
        package var frames: Int
        package var cost: Double
        package var leadCost: Double
        /// The number, from 0, of the chunk's list among the lists of what chunks need.
        package var needs: Int

        package init(chunk: Int, frames: Int, cost: Double, leadCost: Double = 0, needs: Int = 0) {
            (self.chunk, self.frames, self.cost, self.leadCost, self.needs) = (chunk, frames, cost, leadCost, needs)
        }
    }

    /// The places [next, end) of `items` that are still to be dealt.
    private struct Run: Sendable {
        var next: Int
        var end: Int
    }

    private let items: [Item]
    /// The sum of the costs of all items before a place; one more than there are items.
    private let costBefore: [Double]
    /// The runs that slots have not begun or have given up, the latest of the film first.
    private var waiting: [Run] = []
    private var owned: [String: Run] = [:]
    /// The slots that have taken something and have not gone elsewhere.
    private var slots: Set<String> = []
    /// The places of the items, the dearest first; those before `nextByCost` are dealt.
    private let byCost: [Int]
    private var nextByCost = 0
    private var isDealt: [Bool]
    /// The costs of the items that are still to be dealt.
    private var costLeft: Double
    /// The number of items that are still to be dealt.
    package private(set) var count: Int
    /// The number of items that are still to be dealt, by their needs.
    package private(set) var left: [Int: Int]

    package init() { self.init([], runFrames: 1) }

    /// - Parameter items: the chunks in film order; chunks that do not follow one another never share a run.
    package init(_ items: [Item], runFrames: Int) {
        self.items = items
        count = items.count
        left = Dictionary(items.map { ($0.needs, 1) }, uniquingKeysWith: +)
        costBefore = items.reduce(into: [0]) { $0.append($0[$0.count - 1] + max(0, $1.cost)) }
        costLeft = costBefore[items.count]
        byCost = items.indices.sorted { (items[$1].cost, $0) < (items[$0].cost, $1) }
        isDealt = Array(repeating: false, count: items.count)
        var start = 0
        var frames = 0
        for place in items.indices {
            let follows = place == start || items[place].chunk == items[place - 1].chunk + 1
            // A run ends where one more chunk would take it further from its length.
            if !follows || (place > start && frames + items[place].frames / 2 > runFrames) {
                waiting.append(Run(next: start, end: place))
                (start, frames) = (place, 0)
            }
            frames += items[place].frames
        }
        if start < items.count { waiting.append(Run(next: start, end: items.count)) }
        waiting.reverse()
    }

    /// The chunk that the slot renders next; nil when all are dealt, none of those left may be its, or others end
    /// sooner with all that is left. Linear in the slots that have runs; a slot that takes of another one's run has
    /// these sorted, and looks through their chunks.
    ///
    /// `isAble` says of which needs the slot may have chunks; nil for any. A slot that may not have all looks through
    /// what is left where its run does not go on. `leftInHand` is the part, from 0 to 1, that is still to be made of a
    /// chunk that was dealt; nil of one whose frames are all made, or whose slot makes none for now.
    package mutating func take(
        for slot: String, isAble: ((_ needs: Int) -> Bool)? = nil, leftInHand: (_ chunk: Int) -> Double? = { _ in 1 }
    ) -> Int? {
        guard count > 0 else { return nil }
        let place: Int
        if let isAble {
            guard let found = firstPlace(for: slot, isAble) else { return nil }
            slots.insert(slot)
            place = found
        } else {
            guard let usual = owned[slot]?.next ?? waiting.last?.next ?? placeToTake(leftInHand) else { return nil }
            slots.insert(slot)
            place = dearest(before: usual) ?? usual
        }
        let own = owned.removeValue(forKey: slot)
        var run: Run
        if let own, own.next == place {
            run = own
        } else {
            if let own { giveBack(own) }
            run = cutRun(at: place)
        }
        isDealt[run.next] = true
        left[items[run.next].needs, default: 1] -= 1
        costLeft -= max(0, items[run.next].cost)
        let chunk = items[run.next].chunk
        run.next += 1
        if run.next < run.end { owned[slot] = run }
        count -= 1
        return chunk
    }

    /// The place of the first item that the slot may have: of its own run, or else the earliest that waits, or else the
    /// middle one of those that it may take from another slot. nil for none.
    private func firstPlace(for slot: String, _ isAble: (Int) -> Bool) -> Int? {
        guard left.contains(where: { $0.value > 0 && isAble($0.key) }) else { return nil }
        if let next = owned[slot]?.next, isAble(items[next].needs) { return next }
        for run in waiting.reversed() {
            if let place = (run.next..<run.end).first(where: { isAble(items[$0].needs) }) { return place }
        }
        let places = owned.values.flatMap { $0.next..<$0.end }.sorted().filter { isAble(items[$0].needs) }
        return places.isEmpty ? nil : places[places.count / 2]
    }

    /// Whether the slot's run goes on.
    func hasRun(_ slot: String) -> Bool { owned[slot] != nil }

    /// Lets the slot go elsewhere: the rest of its run is anyone's.
    package mutating func release(_ slot: String) {
        slots.remove(slot)
        if let run = owned.removeValue(forKey: slot) { giveBack(run) }
    }

    private mutating func giveBack(_ run: Run) {
        let place = waiting.lastIndex { $0.next > run.next }.map { $0 + 1 } ?? 0
        waiting.insert(run, at: place)
    }

    /// The earliest chunk of the film that is not dealt yet; nil for none. Linear in the slots that have runs.
    package var first: Int? {
        let places = owned.values.map(\.next) + (waiting.last.map { [$0.next] } ?? [])
        return places.min().map { items[$0].chunk }
    }

    /// Whether the chunk is still to be dealt. Linear in the runs.
    package func contains(_ chunk: Int) -> Bool {
        (waiting + Array(owned.values)).contains { run in
            items[run.next].chunk <= chunk && chunk <= items[run.end - 1].chunk
        }
    }

    /// The place of the dearest item that is left, where it is to be dealt before the one at `place`; nil otherwise.
    private mutating func dearest(before place: Int) -> Int? {
        while isDealt[byCost[nextByCost]] { nextByCost += 1 }
        let dearest = byCost[nextByCost]
        let cost = items[dearest].cost
        // One slot alone ends at the same time in any order.
        let isLarge = slots.count > 1 && 2 * cost * Double(slots.count) >= costLeft
        return isLarge && items[place].cost < 0.7 * cost ? dearest : nil
    }

    /// Takes the rest of a run from that place on away from whoever has it. Constant for the next run that waits,
    /// otherwise linear in the runs.
    private mutating func cutRun(at place: Int) -> Run {
        func holds(_ run: Run) -> Bool { run.next <= place && place < run.end }
        if let index = waiting.lastIndex(where: holds) {
            let run = waiting.remove(at: index)
            if run.next < place { waiting.insert(Run(next: run.next, end: place), at: index) }
            return Run(next: place, end: run.end)
        }
        guard let (slot, run) = owned.first(where: { holds($0.value) }) else {
            preconditionFailure("what is not dealt waits or belongs to a slot")
        }
        owned[slot] = run.next < place ? Run(next: run.next, end: place) : nil
        return Run(next: place, end: run.end)
    }

    private func cost(_ run: Run) -> Double { costBefore[run.end] - costBefore[run.next] }

    /// The place from which another slot takes a part of a run, of the fullest that is worth it; nil where none is.
    /// Only called while something is left and nothing waits, and then some slot has it. Of equal runs the first of the
    /// film is divided.
    private func placeToTake(_ leftInHand: (_ chunk: Int) -> Double?) -> Int? {
        for run in owned.values.sorted(by: { (cost($1), $0.next) < (cost($0), $1.next) }) {
            if let place = place(in: run, leftInHand) { return place }
        }
        return nil
    }

    /// The place in a run from which another slot takes it: there the later of the two ends soonest. nil where the slot
    /// that has it ends no later with all of it.
    private func place(in run: Run, _ leftInHand: (_ chunk: Int) -> Double?) -> Int? {
        let inHand = items[run.next - 1]
        let left = leftInHand(inHand.chunk)
        let before = max(0, inHand.cost) * min(max(0, left ?? 0), 1)
        // Nothing waits for a slot that does nothing.
        var best: (place: Int?, end: Double) = (nil, left == nil ? .infinity : before + cost(run))
        for place in run.next..<run.end {
            let own = before + costBefore[place] - costBefore[run.next]
            let other = items[place].leadCost + costBefore[run.end] - costBefore[place]
            // The latest of places with equal ends leaves its owner the most: it has the decoders.
            if max(own, other) < best.end || best.place != nil && max(own, other) == best.end {
                best = (place, max(own, other))
            }
        }
        return best.place
    }
}
