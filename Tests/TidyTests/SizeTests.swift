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

    @Test func filesHaveAtMost500Lines() {
        expectNone(
            SourceTree.all.filter { $0.text.count > 500 }.map { "\($0.path): \($0.text.count)" }, "too long a file")
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
