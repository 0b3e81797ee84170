/// The choice of pictures that are shown of a group in which the decoder complains.
///
/// Pictures that come out before the first complaint are sound. The others come from one decode that starts at a key
/// packet, by a new decoder whose pictures begin grey. Its key is the group's own, or, where the key's own picture is
/// damaged, one before it, so that there is something to conceal with. Of a few such decodes the one that gives the
/// most different pictures is taken. A picture that it does not give is missing, and the last picture before it is
/// shown. Nothing depends on what was decoded before, so that every chunk shows the same.
struct DamagedStretch {
    /// The most packets that are decoded before a group to have more of its pictures.
    static let reach = 3000
    /// The number of packets before a group where its concealment begins, where they are more than one group.
    private static let runUp = 100

    /// The place, in the track's keys, of the decode that gives the pictures which are not sound.
    var supplier: Int
    var supplied: Set<Int> = []
    /// The packet numbers of the pictures that a decode from the group's own key gives before the decoder complains.
    var sound: Set<Int>
    /// The packet numbers of the pictures that the supplier's decode gives before its decoder complains.
    var clean: Set<Int> = []

    /// Whether samples that the decoder left unwritten, without a complaint, are the only sign of the damage.
    var hasGaps = false

    init(supplier: Int, sound: Set<Int>) { (self.supplier, self.sound) = (supplier, sound) }

    func isDamaged(_ number: Int) -> Bool { hasGaps || !sound.contains(number) && !clean.contains(number) }

    /// The places in the track's keys to decode from, to be tried in this order.
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
