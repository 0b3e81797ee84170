import Diagnostics
import JSONText
import Preparation

extension CompositionFile {
    /// Says what the file's form lets one wonder about; where that is `strict` the first of it is an error.
    func tellRemarks(strict: Bool) throws {
        if strict, let first = remarks.first { throw located(first.asError) }
        for problem in remarks { Console.note(located(problem).text(in: shown)) }
    }

    /// A warning in the words of `validate`, where it is about the composition or a file of it.
    func text(of notice: Notice) -> String? {
        let asset = notice.code == .sourceRemark ? assetPath(ofFile: notice.subject) : nil
        guard notice.code.isOfComposition || asset != nil else { return nil }
        let problem = Problem.warning(notice.code, asset ?? notice.subject, notice.reason, hint: notice.hint ?? "")
        return located(problem).text(in: shown)
    }
}
