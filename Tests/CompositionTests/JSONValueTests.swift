import Diagnostics
import Foundation
import JSONText
import MediaFacts
import Testing

@Suite struct JSONValueTests {
    func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }
    func canonical(_ text: String) throws -> String {
        String(decoding: try parse(text).canonicalBytes(), as: UTF8.self)
    }

    @Test(arguments: [
        (#" { "b" : 1 , "a" : [ true , null ] } "#, #"{"a":[true,null],"b":1}"#),
        (#"{"é":1,"z":2,"a/b":"c/d"}"#, #"{"a/b":"c/d","z":2,"é":1}"#),
        (#"["\u0041\n\u001f\"\\\/\ud83d\ude00"]"#, #"["A\n\u001f\"\\/😀"]"#),
        ("[1.0, 1e0, -0, -0.0, 10E-1, 0.1, 1.3333333333333333]", "[1,1,0,0,1,0.1,1.3333333333333333]"),
        ("[9223372036854775807, -9223372036854775808]", "[9223372036854775807,-9223372036854775808]"),
        ("\u{FEFF}[]", "[]"), ("{}", "{}"), ("[1e300]", "[1e+300]"),
    ])
    func canonicalForm(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
        #expect(try canonical(expected) == expected)
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "-", "1.", ".5", "1e",
        "+1", "NaN", "Infinity", "-Infinity", "nul", "truee", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "[] []", "1e999", "-1e999", "{\"a\":1,\"a\":2}", "\u{0}",
        "[\"\\u00e\"]", "--1", "[1e+]",
    ])
    func refusesWhatIsNotJSON(text: String) {
        #expect(throws: SplitreelError.self) { try parse(text) }
    }

    /// Files of PowerShell 5 and of old editors, with the mark of their bytes' order and without it.
    @Test func namesTheEncodingThatIsNotRead() throws {
        let text = #"{"format":"splitreel/1"}"#
        let encodings: [(String.Encoding, [UInt8], String)] = [
            (.utf16LittleEndian, [0xFF, 0xFE], "UTF-16"), (.utf16BigEndian, [0xFE, 0xFF], "UTF-16"),
            (.utf16LittleEndian, [], "UTF-16"), (.utf16BigEndian, [], "UTF-16"),
            (.utf32LittleEndian, [0xFF, 0xFE, 0, 0], "UTF-32"), (.utf32BigEndian, [0, 0, 0xFE, 0xFF], "UTF-32"),
        ]
        for (encoding, mark, name) in encodings {
            let plain = try #require(text.data(using: encoding))
            let data = Data(mark) + plain
            var parser = JSONParser([UInt8](data))
            do {
                _ = try parser.parseDocument()
                Issue.record("it was read")
            } catch {
                #expect(error.reason == "the text is \(name), not UTF-8" && error.hint == "\(name): save it as UTF-8")
            }
            let table = #expect(throws: SplitreelError.self) {
                _ = try LookUpTable(DataFile(sum: "", bytes: [UInt8](data)), path: "x")
            }
            #expect(table?.reason.contains(name) == true)
        }
        for empty in ["", " \n"] {
            var parser = JSONParser(Array(empty.utf8))
            do {
                _ = try parser.parseDocument()
                Issue.record("it was read")
            } catch {
                #expect(error.reason == "the text is empty")
            }
        }
    }

    @Test func refusesBadUTF8() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFE, 0xFF],
        ] {
            #expect(throws: SplitreelError.self) { try JSONValue(parsing: Data(bytes)) }
        }
    }

    @Test func prettyFormKeepsWhatFitsOnOneLine() throws {
        let value = try parse(#"{"a":[[1,2],"x, y"],"b":{"c":"0123456789","d":[{"e":1},{"f":[]}]},"g":{}}"#)
        let folded = """
            {
              "a": [[1, 2], "x, y"],
              "b": {
                "c": "0123456789",
                "d": [{"e": 1}, {"f": []}]
              },
              "g": {}
            }

            """
        #expect(String(decoding: value.prettyBytes(lineLength: 31), as: UTF8.self) == folded)
        for length in [0, 1, 5, 12, 20, 40, 200] {
            let bytes = value.prettyBytes(lineLength: length)
            #expect(try JSONValue(parsing: bytes) == value)
        }
        #expect(try String(decoding: parse("[[1]]").prettyBytes(lineLength: 6), as: UTF8.self) == "[[1]]\n")
        #expect(value.prettyBytes(lineLength: 200).split(separator: UInt8(ascii: "\n")).count == 1)
        #expect(value.prettyBytes().split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count < 30 })
    }

    @Test func depthIsBounded() throws {
        let fine = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(try canonical(fine) == fine)
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: SplitreelError.self) { try parse(deep) }
        let objects = String(repeating: "{\"a\":", count: 300_000)
        #expect(throws: SplitreelError.self) { try parse(objects) }
    }

    @Test func errorsNameLineAndColumn() throws {
        let error = #expect(throws: SplitreelError.self) { try parse("{\n  \"a\": 1,\n  \"b\": tru\n}") }
        #expect(error?.code == .compositionUnreadable)
        #expect(error?.subject == "line 3, column 8")
    }

    @Test func codableAgreesWithTheParser() throws {
        let text = #"{"a":[1,2.5,"x",null,true],"b":{"c":-7}}"#
        let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(try decoded == parse(text))
        #expect(try JSONValue(parsing: JSONEncoder().encode(decoded)) == decoded)
    }

    @Test func doublesAndIntegersOfOneValueAreWrittenAlike() {
        #expect(JSONValue.number(3).canonicalBytes() == JSONValue.integer(3).canonicalBytes())
        #expect(JSONValue(Double.nan) == .null)
        #expect(JSONValue(0.5) == .number(0.5))
    }
}
