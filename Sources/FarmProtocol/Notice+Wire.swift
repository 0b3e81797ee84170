package import Diagnostics

extension Splitreel_Farm_Notice {
    package init(_ notice: Notice) {
        self.init()
        code = UInt32(clamping: notice.code.number)
        subject = notice.subject
        reason = notice.reason.description
        if notice.reason.namesSettings { reasonPhrase = Splitreel_Farm_Phrase(notice.reason) }
        if let seconds = notice.firstSeconds { firstSeconds = seconds }
        count = UInt64(clamping: notice.count)
        hint = notice.hint ?? ""
    }

    package var notice: Notice {
        Notice(
            ErrorCode(Int(code)), subject: subject, reason: hasReasonPhrase ? reasonPhrase.phrase : Phrase(reason),
            firstSeconds: hasFirstSeconds ? firstSeconds : nil,
            count: Int(clamping: count), hint: hint.isEmpty ? nil : hint)
    }
}
