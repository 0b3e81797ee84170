import Foundation

/// The program that was built together with the tests.
package enum BuiltProgram {
    /// nil where it has not been built.
    package static var path: String? {
        #if DEBUG
        let configuration = "debug"
        #else
        let configuration = "release"
        #endif
        let named = ProcessInfo.processInfo.environment["SPLITREEL_BINARY"]
        let built = SourceTree.root(from: #filePath).map { "\($0)/.build/\(configuration)/splitreel" }
        return [named, built].compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
