import Diagnostics
import Foundation
import Testing

@Suite("The table of error numbers")
struct ErrorTableTests {
    @Test func numbersAreUnique() {
        let numbers = ErrorCode.table.map(\.code.number)
        let twice = Dictionary(grouping: numbers, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
        #expect(twice.isEmpty)
        #expect(numbers.count > 50)
    }

    @Test(arguments: ErrorCode.table.map(\.code.number))
    func everyNumberIsExplained(number: Int) throws {
        let entry = try #require(ErrorCode(number).entry)
        #expect(entry.code.number == number)
        #expect(!entry.title.isEmpty && entry.title.count <= 60 && !entry.title.hasSuffix("."))
        #expect(entry.title == ErrorCode(number).title)
        #expect(entry.explanation.count > 10)
        #expect(entry.explanation.hasSuffix(".") || entry.explanation.hasSuffix("?"), "\(entry.explanation)")
        #expect(!entry.explanation.contains("\n"))
        #expect((1...6).contains(number / 10000), "numbers are of the kinds 1xxxx to 6xxxx")
    }

    @Test func titlesTellErrorsApart() {
        let titles = Dictionary(grouping: ErrorCode.table, by: \.title).filter { $1.count > 1 }
        #expect(titles.isEmpty, "\(titles.mapValues { $0.map(\.code.number) })")
    }

    /// The declared constants are read from the source: one that the table lacks would print as unknown.
    @Test func everyDeclaredCodeIsInTheTable() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Diagnostics").standardizedFileURL.resolvingSymlinksInPath()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let text = try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
        let declared = text.matches(of: /static let (\w+) = ErrorCode\((\d+)\)/).compactMap { Int($0.2) }
        #expect(declared.count > 50)
        #expect(Set(declared).count == declared.count, "a number is declared twice")
        #expect(Set(declared) == Set(ErrorCode.table.map(\.code.number)))
    }
}

@Suite("What a code decides")
struct ErrorDecisionTests {
    @Test func exitStatusesAreTheOnesThatScriptsKnow() {
        let statuses: [(Diagnostics.ExitStatus, Int32)] = [
            (.done, 0), (.failed, 1), (.usage, 2), (.invalidComposition, 3), (.mediaUnreadable, 4),
            (.outputUnusable, 5), (.coordinatorUnreachable, 6), (.cancelled, 7), (.verificationFailed, 8),
        ]
        for (status, number) in statuses { #expect(status.rawValue == number) }
    }

    @Test(
        arguments: [
            (.mediaCannotOpen, .mediaUnreadable), (.mediaNotFound, .mediaUnreadable), (.decodeFailed, .mediaUnreadable),
            (.mediaChanged, .mediaUnreadable), (.encoderUnavailable, .usage), (.codecContainerMismatch, .usage),
            (.usage, .usage), (.outputExists, .outputUnusable), (.outputNotWritable, .outputUnusable),
            (.diskFull, .outputUnusable), (.coordinatorUnreachable, .coordinatorUnreachable),
            (.refused, .coordinatorUnreachable), (.cancelled, .cancelled), (.verificationFailed, .verificationFailed),
            (.compositionUnreadable, .invalidComposition), (.compositionInvalid, .invalidComposition),
            (.internalFault, .failed), (.retriesExhausted, .failed),
        ] as [(ErrorCode, Diagnostics.ExitStatus)])
    func exits(code: ErrorCode, status: Diagnostics.ExitStatus) {
        #expect(code.exit == status)
    }

    @Test func noErrorExitsWithSuccess() {
        #expect(ErrorCode.table.filter { $0.exit == .done && !$0.isWarning }.map(\.code.number).isEmpty)
    }

    @Test func compositionErrorsAreFinal() {
        for entry in ErrorCode.table where entry.code.number / 10000 == 5 {
            #expect(entry.exit == .invalidComposition, "\(entry.code.number)")
            #expect(entry.retry == .permanent, "\(entry.code.number)")
        }
    }

    @Test func whatIsTriedAgain() {
        #expect(ErrorCode.diskFull.retry == .resource && ErrorCode.systemLimit.retry == .resource)
        for code in [ErrorCode.mediaNotFound, .mediaCannotOpen, .mediaChanged, .refused, .outputNotWritable] {
            #expect(code.retry == .suspectAccess, "\(code.number)")
        }
        #expect(ErrorCode.decodeFailed.retry == .permanent)
        #expect(ErrorCode.segmentInvalid.retry == .suspectWorker)
        #expect(ErrorCode.storeFailed.retry == .transient)
        #expect(ErrorCode.cancelled.retry == .permanent)
    }

    @Test func unknownNumbersSurvive() throws {
        let unknown = ErrorCode(29999)
        #expect(unknown.entry == nil)
        #expect(unknown.title == "unknown error")
        #expect(unknown.exit == .failed)
        #expect(unknown.retry == .suspectWorker)
        let data = try JSONEncoder().encode([unknown])
        #expect(String(bytes: data, encoding: .utf8) == "[29999]")
        #expect(try JSONDecoder().decode([ErrorCode].self, from: data) == [unknown])
    }
}

@Suite("What a person reads of an error")
struct ErrorTextTests {
    private let full = SplitreelError(
        .mediaCannotOpen, operation: "avformat_open_input", subject: "clip.mp4", reason: "Invalid data",
        hint: "look at it with ffprobe")

    @Test func whatWhereWhyAndWhatToDo() {
        #expect(
            full.description == """
                error 20001: cannot open media: clip.mp4
                  why: Invalid data (avformat_open_input)
                  try: look at it with ffprobe
                """)
    }

    @Test func emptyPartsTakeNoLine() {
        var short = full
        short.hint = ""
        short.operation = ""
        #expect(short.description == "error 20001: cannot open media: clip.mp4\n  why: Invalid data")
        short.reason = ""
        #expect(short.description == "error 20001: cannot open media: clip.mp4")
    }

    @Test func survivesTheWire() throws {
        let data = try JSONEncoder().encode(full)
        #expect(try JSONDecoder().decode(SplitreelError.self, from: data) == full)
    }
}
