import Foundation
import MediaTime
import Testing

@Suite("Times as text, JSON and dictionaries")
struct MediaTimeTextTests {
    @Test(arguments: [
        ("1001/30000", Stored(1001, 30000)), ("300/600", Stored(300, 600)), ("-1/30", Stored(-1, 30)),
        ("-9223372036854775808/1", Stored(.min, 1)), ("9223372036854775807/2147483647", Stored(.max, .max)),
        ("2.5s", Stored(25, 10)), ("2.50s", Stored(250, 100)), ("0s", Stored(0, 1)), ("-0.040s", Stored(-40, 1000)),
        ("0.123456789s", Stored(123_456_789, 1_000_000_000)), ("01:02:03.5", Stored(37235, 10)),
        ("00:00:00", Stored(0, 1)), ("100:59:59.999", Stored(363_599_999, 1000)), ("-00:00:01", Stored(-1, 1)),
    ])
    func reads(text: String, expected: Stored) throws {
        #expect(Stored(try #require(MediaTime(text: text))) == expected)
    }

    @Test(arguments: [
        "", " ", "-", "/", "1", "1/", "/1", "1/0", "1/-1", "-1/-1", "+1/2", "1/2/3", " 1/2", "1/2 ", "1.5/2", "0x1/2",
        "9223372036854775808/1", "-9223372036854775809/1", "1/2147483648", "99999999999999999999999999999999999999/1",
        "s", ".5s", "5.s", "1.2.3s", "1,5s", "1e3s", "--1s", "0.1234567890s", "9223372036854775807.5s", "٣/4", "inf",
        "+infinity", "nan", "INVALID", "1:02", "1:2:3", "00:60:00", "00:00:60", "00:00:1", "00:00:01.", "0::0",
        "9223372036854775807:00:00", "1/2\u{0}",
    ])
    func refuses(text: String) {
        #expect(MediaTime(text: text) == nil)
    }

    @Test func describesAsStored() throws {
        let texts = ["300/600", "-1/30", "+inf", "-inf", "indefinite", "invalid", "0/1"]
        for text in texts {
            #expect(try #require(MediaTime(text: text)).description == text)
        }
        #expect(try #require(MediaTime(text: "2.5s")).description == "25/10")
    }

    /// The text in a project file is the shorter one. It gives the same value and timescale when it is read again.
    @Test(arguments: [
        ("9/1", "9s"), ("25/10", "2.5s"), ("250/100", "2.50s"), ("0/1", "0s"), ("-5/1000", "-0.005s"),
        ("1/1000000000", "0.000000001s"), ("1001/30000", "1001/30000"), ("5/2", "5/2"), ("0/600", "0/600"),
        ("-9223372036854775808/1", "-9223372036854775808/1"),
        ("1/10", "0.1s"), ("+inf", "+inf"), ("invalid", "invalid"),
    ])
    func isShownAsPeopleWriteIt(stored: String, shown: String) throws {
        let time = try #require(MediaTime(text: stored))
        #expect(time.text == shown)
        #expect(shown.utf8.count <= stored.utf8.count + 1)
        #expect(try #require(MediaTime(text: shown)).description == stored)
    }

    @Test(
        arguments: [
            ("2.5", "2.5s"), ("0", "0s"), ("90", "90s"), ("1:30", "00:01:30"), ("1:30:00", "01:30:00"),
            ("0:5.25", "00:00:05.25"), ("soon", nil), ("", nil), ("2,5", nil), ("2.5s", nil), ("00:01:30", nil),
            ("1e3", nil), ("1:2:3:4", nil),
        ] as [(String, String?)])
    func aTimeThatIsNoneHasALikelyOne(text: String, meant: String?) { #expect(MediaTime.likely(text) == meant) }

    @Test func timesAreStringsInJSON() throws {
        let times: [MediaTime] = [time(1001, 30000), .positiveInfinity, .negativeInfinity, .indefinite, .invalid]
        let data = try JSONEncoder().encode(times.map(\.description))
        #expect(try JSONDecoder().decode([MediaTime].self, from: data) == times)
        #expect(try JSONEncoder().encode(times) == data)
        for hostile in ["[\"1/0\"]", "[1]", "[null]", "[[1,2]]", "[{\"value\":1}]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([MediaTime].self, from: Data(hostile.utf8))
            }
        }
    }

    @Test func rangesArePairsInJSON() throws {
        let sample = range(time(1, 2), .positiveInfinity)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let data = try encoder.encode(sample)
        #expect(String(bytes: data, encoding: .utf8) == "[\"1/2\",\"+inf\"]")
        #expect(try JSONDecoder().decode(TimeRange.self, from: data) == sample)
        for hostile in ["[]", "[\"0/1\"]", "[\"0/1\",\"1/1\",\"2/1\"]", "\"0/1\"", "{\"start\":\"0/1\"}"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(TimeRange.self, from: Data(hostile.utf8))
            }
        }
    }

    @Test func dictionaryForm() {
        let stored = MediaTime(value: -5, timescale: 30, epoch: 2, rounded: true)
        #expect(stored.dictionary == ["value": -5, "timescale": 30, "epoch": 2, "flags": 3])
        let all: [MediaTime] = [stored, .zero, .positiveInfinity, .negativeInfinity, .indefinite, .invalid]
        for time in all {
            let back = MediaTime(dictionary: time.dictionary)
            #expect(back == time)
            #expect(back.flags == time.flags)
        }
    }

    @Test(
        arguments: [
            [:], ["value": 1], ["value": 1, "timescale": 0, "epoch": 0, "flags": 1],
            ["value": 1, "timescale": -1, "epoch": 0, "flags": 1],
            ["value": 1, "timescale": 1 << 31, "epoch": 0, "flags": 1],
            ["value": 1, "timescale": 1, "epoch": 0, "flags": 0],
            ["value": 1, "timescale": 1, "epoch": 0, "flags": -1],
            ["value": 1, "timescale": 1, "epoch": 0, "flags": 13],
            ["value": 1, "timescale": 1, "epoch": 0, "flags": 33],
            ["value": 1, "timescale": 1, "flags": 1],
        ] as [[String: Int64]])
    func hostileDictionariesAreInvalid(dictionary: [String: Int64]) {
        #expect(!MediaTime(dictionary: dictionary).isValid)
    }
}
