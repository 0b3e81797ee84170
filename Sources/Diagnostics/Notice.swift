/// Something that a person should know of a render that went on: damage, substituted frames, clipped sound.
public struct Notice: Hashable, Codable, Sendable {
    /// The code, one of the warnings of the table of codes.
    public package(set) var code: ErrorCode
    /// The file and track, "the sound", or which of several sounds.
    public package(set) var subject: String
    /// The reason: one sentence without times and counts, so that equal ones are equal.
    public package(set) var reason: Phrase
    /// The first time that it concerns, in seconds for people: of the source where `subject` is a file, of the film for
    /// other subjects; nil where there is no such time.
    public package(set) var firstSeconds: Double?
    /// The number of occurrences, in whatever `reason` speaks of (frames, packets, samples).
    public package(set) var count: Int
    /// The words for what a person can do about it; nil where nothing is to be said.
    public package(set) var hint: String?

    package init(
        _ code: ErrorCode, subject: String, reason: Phrase, firstSeconds: Double? = nil, count: Int = 1,
        hint: String? = nil
    ) {
        self.code = code
        self.subject = subject.withoutSecrets
        self.reason = reason
        self.firstSeconds = firstSeconds
        self.count = count
        self.hint = hint
    }

    /// A notice that names no settings. A literal makes a phrase, so that a setting in it is not lost.
    @_disfavoredOverload
    package init(
        _ code: ErrorCode, subject: String, reason: String, firstSeconds: Double? = nil, count: Int = 1,
        hint: String? = nil
    ) {
        self.init(
            code, subject: subject, reason: Phrase(reason), firstSeconds: firstSeconds, count: count, hint: hint)
    }

    /// The notice as plain texts, in which `name` calls settings by their names.
    package func told(_ name: (Setting) -> String) -> Notice {
        var notice = self
        notice.reason = Phrase(reason.words(name))
        return notice
    }
}

extension Notice {
    /// Whether the notice is told as a figure and not as a warning.
    package var isMeasurement: Bool { code == .loudnessMeasured }
}

/// Notices of one chunk, file or job: equal ones are counted, and there are never more than `limit` warnings, and as
/// many measurements.
package struct NoticeList: Hashable, Codable, Sendable {
    package static let limit = 32

    package private(set) var notices: [Notice] = []
    /// The number of occurrences that found no room.
    package private(set) var dropped = 0

    package init() {}

    package var isEmpty: Bool { notices.isEmpty && dropped == 0 }

    /// The notices that are no measurements.
    package var warnings: [Notice] { notices.filter { !$0.isMeasurement } }

    /// Adds a notice, to an equal one where there is one. Counts saturate; the earliest time stays.
    package mutating func add(_ notice: Notice) {
        let count = max(0, notice.count)
        let same = notices.firstIndex {
            $0.code == notice.code && $0.subject == notice.subject && $0.reason == notice.reason
        }
        if let same {
            notices[same].count = saturatingSum(notices[same].count, count)
            let times = [notices[same].firstSeconds, notice.firstSeconds].compactMap { $0 }
            notices[same].firstSeconds = times.min()
        } else if notices.count(where: { $0.isMeasurement == notice.isMeasurement }) < Self.limit {
            var own = notice
            own.count = count
            notices.append(own)
        } else {
            dropped = saturatingSum(dropped, count)
        }
    }

    /// The list with `word` as the subject of all notices that have `subject`.
    package func naming(_ subject: String, as word: String) -> NoticeList {
        var list = self
        for index in list.notices.indices where list.notices[index].subject == subject {
            list.notices[index].subject = word
        }
        return list
    }

    package mutating func add(_ other: NoticeList) {
        for notice in other.notices { add(notice) }
        dropped = saturatingSum(dropped, max(0, other.dropped))
    }
}

private func saturatingSum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? Int.max : sum
}
