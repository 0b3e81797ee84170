/// What is shown of a group of pictures in which the decoder complains.
///
/// Pictures that come out before the first complaint are sound. The others come from one decode: from a key packet on,
/// by a new decoder whose pictures begin grey. That is the group's own key, or, where the key's own picture is damaged,
/// one before it, so that there is something to conceal with; of a few such decodes the one that gives most different
/// pictures. What it does not give is missing, and the last picture before it is shown. None of it depends on what was
/// decoded before, so that it is the same in any chunk.
struct DamagedStretch {
    /// Packets that are decoded before a group at most, to have more of its pictures.
    static let reach = 3000
    /// Packets before a group that its concealment begins with, where they are more than one group.
    private static let runUp = 100

    /// The place in the track's keys that the pictures which are not sound are decoded from.
    var supplier: Int
    var supplied: Set<Int> = []
    /// Those of a decode from the group's own key that come out before it complains.
    var sound: Set<Int>
    /// Those of the supplier's decode that come out before it complains.
    var clean: Set<Int> = []

    /// Only what decoders leave unwritten without a word told of the damage.
    var hasGaps = false

    init(supplier: Int, sound: Set<Int>) { (self.supplier, self.sound) = (supplier, sound) }

    func isDamaged(_ number: Int) -> Bool { hasGaps || !sound.contains(number) && !clean.contains(number) }

    /// Places in the track's keys to decode from, to be tried in this order.
    static func entries(for group: Int, keys: PacketNumbers, isKeySound: Bool) -> [Int] {
        func distance(_ place: Int) -> Int32 { keys[group] - keys[place] }
        var far = max(0, group - 1)
        while far > 0, distance(far - 1) <= runUp { far -= 1 }
        let order = isKeySound ? [group, group - 1, far, group - 2] : [far, group - 1, group, group - 2]
        var places: [Int] = []
        for place in order where place >= 0 && !places.contains(place) {
            if place == group || distance(place) <= reach { places.append(place) }
        }
        return places
    }
}
