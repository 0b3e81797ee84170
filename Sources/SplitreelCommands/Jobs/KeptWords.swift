import Diagnostics
import Foundation
import Reports

extension JobReport {
    /// The line that says what is kept of a job that failed, and until when; nil where nothing is.
    var keptSentence: String? {
        guard let kept else { return nil }
        let until = Date(timeIntervalSince1970: kept.until).formatted(.iso8601)
        let work = kept.bytes > 0 ? "\(memoryText(kept.bytes)) of finished work are kept" : "it can be retried"
        return "\(work) until \(until): `splitreel retry \(job.printable)`"
    }
}
