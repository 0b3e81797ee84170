/// The lists of names that slots register with, of which equal ones are held once: the slots of a farm mostly have the
/// same libraries, encoders and effects, some hundred names each.
package struct SharedLists {
    private var lists: Set<[String]> = []
    private var sets: Set<Set<String>> = []
    /// The most different ones that are known; then they are learnt anew, and nothing is lost but room.
    private static let most = 256

    package init() {}

    /// An equal list, the first one that came.
    package mutating func shared(_ list: [String]) -> [String] {
        if lists.count >= Self.most { lists = [] }
        return lists.insert(list).memberAfterInsert
    }

    /// An equal set, the first one that came.
    package mutating func shared(_ set: Set<String>) -> Set<String> {
        if sets.count >= Self.most { sets = [] }
        return sets.insert(set).memberAfterInsert
    }
}
