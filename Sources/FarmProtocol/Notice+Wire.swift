package import Diagnostics

extension Splitreel_Farm_Notice {
    package init(_ notice: Notice) {
        self.init()
        code = UInt32(clamping: notice.code.number)
        (subject, reason) = (notice.subject, notice.reason)
        if let seconds = notice.firstSeconds { firstSeconds = seconds }
        count = UInt64(clamping: notice.count)
        hint = notice.hint ?? ""
    }

    package var notice: Notice {
        Notice(
            ErrorCode(Int(code)), subject: subject, reason: reason, firstSeconds: hasFirstSeconds ? firstSeconds : nil,
            count: Int(clamping: count), hint: hint.isEmpty ? nil : hint)
    }
}
