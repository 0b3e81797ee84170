package import Diagnostics

extension NoticeList {
    /// The most UTF-8 bytes of a subject: a path of the system's longest and a track.
    private static let subjectBytes = 5000
    private static let reasonBytes = 2000
    /// The range of times, in seconds: some thirty years either way.
    private static let seconds = -1e9...1e9

    /// Whether a list that another process wrote can be believed: no more than `limit` warnings and as many
    /// measurements, nothing else, counts and times that can be, texts of a line and of few parts.
    package var isWithinBounds: Bool {
        dropped >= 0 && warnings.count <= Self.limit && notices.count - warnings.count <= Self.limit
            && notices.allSatisfy { notice in
                notice.code.isWarning && notice.count >= 0 && notice.subject.utf8.count <= Self.subjectBytes
                    && notice.reason.description.utf8.count <= Self.reasonBytes
                    && notice.reason.parts.count <= Phrase.mostParts
                    && notice.hint?.utf8.count ?? 0 <= Self.reasonBytes
                    && notice.firstSeconds.map(Self.seconds.contains) ?? true
            }
    }
}
