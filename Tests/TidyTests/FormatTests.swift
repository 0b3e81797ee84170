import Foundation
import Testing

@Suite("Formatting")
struct FormatTests {
    /// The formatter on the PATH; it comes with the toolchain.
    static let formatters = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "swift-format") }
        .filter { FileManager.default.isExecutableFile(atPath: $0.path) }

    @Test(.enabled(if: !formatters.isEmpty, "swift-format is not on the PATH"))
    func swiftFormatHasNothingToSay() throws {
        let process = Process()
        process.executableURL = Self.formatters.first
        process.currentDirectoryURL = SourceTree.root
        process.arguments =
            ["lint", "--strict", "--parallel", "--configuration", ".swift-format"] + SourceTree.all.map(\.path)
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let complaints = String(bytes: output.prefix(8000), encoding: .utf8) ?? ""
        #expect(process.terminationStatus == 0, "`make format` mends most of this:\n\(complaints)")
    }
}
