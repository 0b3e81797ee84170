import Diagnostics
import Testing

@Suite("Times for which something is kept") struct KeptTextTests {
    @Test(arguments: [(604_800, "7 days"), (86_400, "1 day"), (86_401, "86401 s"), (90, "90 s"), (0, "0 s")])
    func daysWhereTheyAreWhole(seconds: Int, expected: String) {
        #expect(keptText(seconds) == expected)
    }
}
