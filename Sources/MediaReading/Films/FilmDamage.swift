internal import Diagnostics

/// The damaged places of a film: one notice for each stretch of like damage, with its first time, and at most
/// `NoticeList.limit` notices. Damage that finds no room is counted in the last like notice. Confined to one thread at
/// a time.
final class FilmDamage {
    enum Kind: String {
        case undecodable = "packets cannot be decoded"
        case faulty = "the decoder finds faults"
        case lost = "a part of the file before this cannot be read"
    }

    /// The seconds without damage that end a stretch.
    private static let pause = 1.0

    private(set) var notices: [Notice] = []
    private var latest: [Double?] = []

    func add(_ kind: Kind, _ subject: String, at seconds: Double?) {
        let like = notices.lastIndex { $0.subject == subject && $0.reason == Phrase(kind.rawValue) }
        let isFull = notices.count >= NoticeList.limit
        guard let like, isFull || isNear(seconds, latest[like]) else {
            guard !isFull else { return }
            notices.append(
                Notice(.sourceDamaged, subject: subject, reason: kind.rawValue, firstSeconds: seconds))
            latest.append(seconds)
            return
        }
        notices[like].count += 1
        latest[like] = seconds ?? latest[like]
    }

    private func isNear(_ seconds: Double?, _ other: Double?) -> Bool {
        guard let seconds, let other else { return true }
        return abs(seconds - other) <= Self.pause
    }
}
