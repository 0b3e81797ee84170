import DataPlane
import FarmProtocol

// Reports name files of a view by the paths of the person's machine: a view's own name is a secret of its submitter.
extension Coordinator {
    /// The answer to a client, with the person's paths in place of those in the store.
    func inPersonsWords(_ body: Splitreel_Farm_Envelope.OneOf_Body) -> Splitreel_Farm_Envelope.OneOf_Body {
        // Jobs of views that are gone are told of, too.
        guard let paths = storeFolder?.paths else { return body }
        switch body {
        case .jobReport(var report):
            report.takePersonsWords(paths)
            return .jobReport(report)
        case .jobsReport(var report):
            for index in report.jobs.indices { report.jobs[index].takePersonsWords(paths) }
            return .jobsReport(report)
        case .jobsChanged(var report):
            for index in report.jobs.indices { report.jobs[index].takePersonsWords(paths) }
            return .jobsChanged(report)
        case .eventsReport(var report):
            for index in report.events.indices { report.events[index].takePersonsWords(paths) }
            return .eventsReport(report)
        case .workersReport(var report):
            for index in report.workers.indices {
                report.workers[index].remarks = report.workers[index].remarks.map(paths.inPersonsWords)
            }
            return .workersReport(report)
        case .problem(var problem):
            problem.takePersonsWords(paths)
            return .problem(problem)
        default: return body
        }
    }
}

extension Splitreel_Farm_JobReport {
    fileprivate mutating func takePersonsWords(_ paths: StorePaths) {
        output = paths.inPersonsWords(output)
        outputs = outputs.map(paths.inPersonsWords)
        madeFor = paths.inPersonsWords(madeFor)
        remarks = remarks.map(paths.inPersonsWords)
        if hasProblem { problem.takePersonsWords(paths) }
        if hasDelayProblem { delayProblem.takePersonsWords(paths) }
        for index in notices.indices { notices[index].takePersonsWords(paths) }
        for index in chunks.indices where chunks[index].hasLastProblem {
            chunks[index].lastProblem.takePersonsWords(paths)
        }
    }
}

extension Splitreel_Farm_Notice {
    fileprivate mutating func takePersonsWords(_ paths: StorePaths) {
        subject = paths.inPersonsWords(subject)
        reason = paths.inPersonsWords(reason)
        hint = paths.inPersonsWords(hint)
        if hasReasonPhrase { reasonPhrase.takePersonsWords(paths) }
    }
}

extension Splitreel_Farm_Problem {
    fileprivate mutating func takePersonsWords(_ paths: StorePaths) {
        subject = paths.inPersonsWords(subject)
        reason = paths.inPersonsWords(reason)
        hint = paths.inPersonsWords(hint)
        for index in phrases.indices { phrases[index].takePersonsWords(paths) }
    }
}

extension Splitreel_Farm_Phrase {
    fileprivate mutating func takePersonsWords(_ paths: StorePaths) {
        for index in parts.indices { parts[index].text = paths.inPersonsWords(parts[index].text) }
    }
}

extension Splitreel_Farm_EventReport {
    fileprivate mutating func takePersonsWords(_ paths: StorePaths) {
        text = paths.inPersonsWords(text)
        if hasPhrase { phrase.takePersonsWords(paths) }
    }
}
