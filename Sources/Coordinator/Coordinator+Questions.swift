import Diagnostics
import FarmProtocol
import JobStore
import Scheduling
import Transport

// The questions about what has happened.
extension Coordinator {
    func counters() -> Splitreel_Farm_CountersReport {
        var report = Splitreel_Farm_CountersReport()
        report.malformedMessages = UInt64(malformedMessages)
        report.unknownMessages = UInt64(unknownMessages)
        report.droppedMessages = UInt64((try? loop.droppedMessages()) ?? 0)
        report.droppedEvents = UInt64(droppedEvents)
        report.lateResults = UInt64(brain.lateResults)
        report.takesNoJobs = takesNoJobs ?? ""
        return report
    }

    /// The reason why a job that came now would be refused, for people; nil where it would be taken. A disk that is
    /// full is known from the first change that could not be stored.
    private var takesNoJobs: String? {
        if let fault = storeFault { return "the job store fails: \(fault.error.reason)" }
        guard hasRoomForJob else { return "\(limits.unfinishedJobs) jobs are unfinished already" }
        return nil
    }

    /// Answers one page of a job's events.
    func answer(_ query: Splitreel_Farm_EventsQuery, _ identity: [UInt8], _ request: UInt64) {
        let asked = query.limit == 0 ? limits.eventsInPage : Int(query.limit)
        let count = min(asked, limits.eventsInPage)
        let bytes = limits.controlMessageBytes / 2
        read(identity, request) { store in
            // One more than is told says whether another page follows.
            let page = EventPage(after: Int(clamping: query.after), count: count + 1, isLatest: query.latest)
            guard let events = try store.events(of: query.job, page) else { throw Self.noSuchJob(query.job) }
            return Splitreel_Farm_EventsReport(events, count: count, isLatest: query.latest, bytes: bytes)
        } then: {
            $0.send(.eventsReport($1), to: identity, request: request)
        }
    }
}

extension Splitreel_Farm_EventsReport {
    /// The report of as many of those events as fit, one at least, so that whoever asks for page after page comes to an
    /// end.
    fileprivate init(_ stored: [JobEvent], count: Int, isLatest: Bool, bytes: Int) {
        self.init()
        var room = bytes
        for event in isLatest ? stored.reversed() : stored {
            let report = Splitreel_Farm_EventReport(event)
            room -= 40 + report.weight
            guard events.isEmpty || (room > 0 && events.count < count) else { break }
            events.append(report)
        }
        more = !isLatest && events.count < stored.count
        if isLatest { events.reverse() }
    }
}

extension Splitreel_Farm_EventReport {
    fileprivate init(_ event: JobEvent) {
        self.init()
        number = UInt64(clamping: event.number)
        at = event.at
        text = event.text.description
        if event.text.namesSettings { phrase = Splitreel_Farm_Phrase(event.text) }
        if let place = event.task { task = UInt32(clamping: place) }
        worker = event.slot
    }

    /// The bytes of its texts in a message, roughly, rather more than less.
    fileprivate var weight: Int { text.utf8.count + worker.utf8.count + (hasPhrase ? phrase.weight : 0) }
}
