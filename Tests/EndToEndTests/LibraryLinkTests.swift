import TestTools
import Testing

extension EndToEnd {
    /// What is in a program that depends on the library alone. `Tests/outside/build.sh` finds the same of a package of
    /// somebody else's.
    @Suite struct LibraryLinkTests {
        /// A symbol of Swift's has the name of its module after the number of its letters.
        private static let commands =
            ["ArgumentParser", "SplitreelCommands", "SplitreelSettings", "Yams"]
            .map { "\($0.count)\($0)" } + ["yaml_parser_initialize"]

        @Test func aProgramWithoutCommandsLinksNone() throws {
            let folder = try TestFolder("linked")
            let program = try Splitreel(in: folder)
            let own = try program.sibling("FarmProgram")
            func has(_ symbol: String, _ file: Splitreel) throws -> Bool {
                let result = try Tool("/bin/grep", ["-aqF", symbol, file.path], in: folder).finish()
                try #require([0, 1].contains(result.status), "\(result)")
                return result.status == 0
            }
            #expect(try has("9Splitreel", own) && !has("9Splitnone", own))
            for symbol in Self.commands {
                // The command line itself has all of them: they would be seen.
                #expect(try has(symbol, program) && !has(symbol, own), "\(symbol)")
            }
        }
    }
}
