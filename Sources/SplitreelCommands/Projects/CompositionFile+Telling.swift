import Diagnostics
import JSONText
import Preparation

extension CompositionFile {
    /// Tells the doubts about the file's form; where it is `strict` the first of them is an error.
    func tellRemarks(strict: Bool) throws {
        if strict, let first = remarks.first { throw located(first.asError) }
        for problem in remarks { Console.note(located(problem).text(in: shown)) }
    }

    /// The text of a warning in the words of `validate`; nil where it is not about the composition or a file of it.
    func text(of notice: Notice) -> String? {
        let asset = notice.code == .sourceRemark ? assetPath(ofFile: notice.subject) : nil
        guard notice.code.isOfComposition || asset != nil else { return nil }
        let problem = Problem.warning(
            notice.code, asset ?? notice.subject, notice.reason.description, hint: notice.hint ?? "")
        return located(problem).text(in: shown)
    }
}
