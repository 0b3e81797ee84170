import Diagnostics
import Foundation
import JSONText
import Preparation
import SplitreelFiles
public import SplitreelProject

extension Project {
    /// Reads a project's file. Relative URLs of its assets and outputs become absolute, by the file's folder, so that
    /// the project means the same wherever it is used; `Project(Data)` leaves them as they are.
    ///
    /// It reads the file on the calling thread, and none that it names. Throws `SplitreelError` with the first problem
    /// that makes the file unusable, and in its subject the file, the line and the column.
    public init(contentsOf path: String) throws {
        let file = try absolutePath(path)
        self = try CompositionFile.readable(path: path).resolvingURLs(against: parentFolder(of: file))
    }

    /// Writes the project as a file for people, indented, in place of one that is there: in one step, so that a reader
    /// finds the old file or the new one. URLs stay as they are.
    ///
    /// It returns when the file is on the disk. Throws `SplitreelError` where it cannot be written, or has a
    /// number that is not finite, and leaves nothing.
    public func write(to path: String) throws {
        let data = data(pretty: true)
        if let problem = Project.parse(data).problems.lazy.map(\.ofFiniteNumbers).first(where: \.isNotFinite) {
            throw SplitreelError(
                problem.code, operation: "writing a project", subject: problem.path, reason: problem.message)
        }
        try replaceFile(data, at: try absolutePath(path))
    }
}

extension Problem {
    private static let notFinite = "expected a finite number"

    /// Whether a number is not finite; of a problem that tells so.
    fileprivate var isNotFinite: Bool { message == Self.notFinite }

    /// The problem, told as a program knows it: JSON has null in place of NaN and infinities, and a value in memory is
    /// written as null for nothing else.
    var ofFiniteNumbers: Problem {
        guard message == "expected a number, found null" else { return self }
        var problem = self
        problem.message = Self.notFinite
        return problem
    }
}
