import Testing

/// The rules above are worth what their reading of Swift is worth.
@Suite("How the tests read Swift")
struct ReadingTests {
    @Test(arguments: [
        ("let a = b // try! c", "let a = b          "), ("/* x /* y */ z */ let", "                  let"),
        (#"f("try! \(g(h)) x")"#, "f(       (g(h))   )"), (##"f(#"a " b"#)"##, "f(         )"),
        (#"f("\"!") + a!"#, "f(     ) + a!"), ("\"\"\"\na!\n\"\"\"\nb", "   \n  \n   \nb"),
        ("f(\"\\(x ? \"y!\" : \"z\")\")!", "f(  (x ?      :    ) )!"),
    ])
    func stripping(source: String, expected: String) {
        #expect(StrippedCode.lines(of: source).joined(separator: "\n") == expected)
    }

    @Test func functions() {
        let source = """
            protocol P {
                func required(a: Int) -> Int
                init(b: Int)
            }
            struct S: P {
                init(b: Int) { self.init() }
                func long(
                    a: Int = { 3 }()
                ) -> Int {
                    if a > 2 { return 1 }
                    return 2
                }
                deinit {
                }
            }
            """
        let found = FunctionFinder.functions(in: StrippedCode.lines(of: source))
        #expect(
            found == [
                .init(name: "init", firstLine: 5, lineCount: 1), .init(name: "long", firstLine: 6, lineCount: 6),
                .init(name: "deinit", firstLine: 12, lineCount: 2),
            ])
    }

    @Test func imports() {
        let source = """
            import A
            @testable package import B
            internal import struct C.D
            // import E
            let text = "import F"
            """
        let file = SourceFile(path: "Sources/X/Y.swift", source: source)
        #expect(file.imports.map(\.module) == ["A", "B", "C"])
        #expect(file.target == "X" && file.name == "Y.swift")
    }

    @Test func theTreeIsThere() {
        #expect(SourceTree.sources.count > 50)
        #expect(SourceTree.tests.contains { $0.path == "Tests/TidyTests/ReadingTests.swift" })
        #expect(!SourceTree.all.contains { $0.path.hasSuffix(".pb.swift") })
    }
}
