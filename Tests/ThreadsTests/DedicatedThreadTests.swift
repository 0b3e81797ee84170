import Foundation
import Testing
import Threads

@Suite("Dedicated thread", .timeLimit(.minutes(5)))
struct DedicatedThreadTests {
    @Test("threads that nobody joins leave no stack behind")
    func stacks() throws {
        let before = try addressSpace()
        for _ in 0..<1000 {
            let done = Latch()
            _ = try DedicatedThread(name: "short", stackBytes: 8 << 20) { done.open() }
            done.wait()
        }
        // Eight gigabytes if they stayed; the system keeps a few for the next threads.
        #expect(try addressSpace() - before < 2 << 30)
    }

    @Test("a joined thread is joined once, from wherever, and has done its work")
    func joins() throws {
        let count = Latch()
        let thread = try DedicatedThread(name: "joined", stackBytes: 64 << 10) { count.open() }
        thread.join()
        #expect(thread.join(within: .zero))
        count.wait()
    }

    /// Bytes, from /proc.
    private func addressSpace() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").first.flatMap { Int($0) }) * 4096
    }
}
