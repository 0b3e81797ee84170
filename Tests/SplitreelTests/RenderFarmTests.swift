import Splitreel
import Testing

@Suite("Farms of a program's own") struct RenderFarmTests {
    /// The tests' own program has no `serveFarmIfAsked()`: its children would run all tests again.
    @Test func programsThatDoNotServeHaveNone() async {
        let error = await #expect(throws: SplitreelError.self) { try await RenderFarm(workers: 1) }
        #expect(error?.description.contains("serveFarmIfAsked") == true)
    }

    @Test(arguments: [0, 257, -1]) func workersAreBounded(workers: Int) async {
        let error = await #expect(throws: SplitreelError.self) { try await RenderFarm(workers: workers) }
        #expect(error?.description.contains("1 to 256") == true)
    }
}
