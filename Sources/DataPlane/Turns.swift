/// Keys in fair turns: whoever comes (back) stands last. Adding and taking cost a constant.
struct Turns<Key: Hashable & Sendable>: Sendable {
    private var queue: [Key] = []
    /// The place of the next key; those before it are gone.
    private var head = 0
    private var members: Set<Key> = []

    var isEmpty: Bool { members.isEmpty }

    /// Puts a key last; one that waits already keeps its place.
    mutating func add(_ key: Key) {
        if members.insert(key).inserted { queue.append(key) }
    }

    mutating func remove(_ key: Key) { members.remove(key) }

    /// Takes the key whose turn it is; nil where none waits.
    mutating func next() -> Key? {
        while head < queue.count {
            let key = queue[head]
            head += 1
            if head > 256, head * 2 > queue.count {
                queue.removeFirst(head)
                head = 0
            }
            // A key that was removed stays in the queue until its turn.
            if members.remove(key) != nil { return key }
        }
        queue = []
        head = 0
        return nil
    }
}
