import Testing

@Suite("Sizes")
struct SizeTests {
    @Test func linesHaveAtMost120Characters() {
        expectNone(
            SourceTree.all.flatMap { file in
                file.text.enumerated().filter { $0.element.count > 120 }.map {
                    file.place($0.offset, "\($0.element.count)")
                }
            }, "too long a line")
    }

    @Test func filesHaveAtMost400LinesAndThoseOfTests500() {
        let long = SourceTree.all.filter { $0.text.count > ($0.path.hasPrefix("Tests/") ? 500 : 400) }
        expectNone(long.map { "\($0.path): \($0.text.count)" }, "too long a file")
    }

    /// A module is compiled by one core: a larger one keeps the others waiting.
    @Test func modulesHaveAtMost9000Lines() {
        let lines = Dictionary(grouping: SourceTree.sources, by: \.target).mapValues {
            $0.reduce(0) { $0 + $1.text.count }
        }
        expectNone(lines.filter { $0.value > 9000 }.map { "\($0.key): \($0.value)" }, "too large a module")
    }

    @Test func functionsHaveAtMost70Lines() {
        expectNone(
            SourceTree.all.flatMap { file in
                FunctionFinder.functions(in: file.code).filter { $0.lineCount > 70 }
                    .map { file.place($0.firstLine, "\($0.name) has \($0.lineCount) lines") }
            }, "too long a function")
    }

    @Test func mainIsUnder50Lines() {
        let mains = SourceTree.sources.filter { $0.name == "main.swift" }
        #expect(mains.count == 1)
        for main in mains { #expect(main.text.count < 50) }
    }
}
