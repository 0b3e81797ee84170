package import FarmProtocol

/// The counts of what a coordinator did not take, since its start.
package struct CountersReport: Sendable, Hashable, Encodable {
    /// The frames that were no messages, and messages of no use.
    package var malformedMessages: Int
    /// The messages of a later minor, and those of the wrong side.
    package var unknownMessages: Int
    /// The messages with too many frames or bytes, and the peers that were disconnected over one without an end.
    package var droppedMessages: Int
    /// The events of peers that found too many others waiting.
    package var droppedEvents: Int
    /// The results, failures and reports of attempts that were no longer current.
    package var lateResults: Int

    package init(_ message: Splitreel_Farm_CountersReport) {
        malformedMessages = Int(clamping: message.malformedMessages)
        unknownMessages = Int(clamping: message.unknownMessages)
        droppedMessages = Int(clamping: message.droppedMessages)
        droppedEvents = Int(clamping: message.droppedEvents)
        lateResults = Int(clamping: message.lateResults)
    }
}
