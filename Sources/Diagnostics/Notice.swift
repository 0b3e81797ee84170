/// Something that a person should know of a render that went on: damage, substituted frames, clipped sound.
package struct Notice: Hashable, Codable, Sendable {
    /// A warning of the table of codes.
    package var code: ErrorCode
    /// The file and track, "the sound", or which of several sounds.
    package var subject: String
    /// One sentence without times and counts, so that equal ones are equal.
    package var reason: String
    /// The first time that it concerns, in seconds for people: of the source where `subject` is a file, else of the
    /// film. nil where it has none.
    package var firstSeconds: Double?
    /// How often, in whatever `reason` speaks of (frames, packets, samples).
    package var count: Int
    /// What a person can do about it; nil where nothing is to be said.
    package var hint: String?

    package init(
        _ code: ErrorCode, subject: String, reason: String, firstSeconds: Double? = nil, count: Int = 1,
        hint: String? = nil
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.firstSeconds = firstSeconds
        self.count = count
        self.hint = hint
    }
}

extension Notice {
    /// Told as a figure and not as a warning.
    package var isMeasurement: Bool { code == .loudnessMeasured }
}

/// Notices of one chunk, file or job: equal ones are counted, and there are never more than `limit` warnings, and as
/// many measurements.
package struct NoticeList: Hashable, Codable, Sendable {
    package static let limit = 32

    package private(set) var notices: [Notice] = []
    /// Occurrences that found no room.
    package private(set) var dropped = 0

    package init() {}

    package var isEmpty: Bool { notices.isEmpty && dropped == 0 }

    /// All but what was measured.
    package var warnings: [Notice] { notices.filter { !$0.isMeasurement } }

    /// Counts saturate; the earliest time stays.
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

    /// With another word for what those of a subject are about.
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
