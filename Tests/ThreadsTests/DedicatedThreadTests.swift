import Foundation
import Testing
import Threads

@Suite("Dedicated thread", .timeLimit(.minutes(5)))
struct DedicatedThreadTests {
    @Test("threads that nobody joins leave no stack behind")
    func stacks() throws {
        // Eight gigabytes if they stayed; the system keeps a few for the next threads. Other tests take room at the
        // same time, once and not each time.
        var growths: [Int] = []
        while growths.count < 3, growths.allSatisfy({ $0 >= 4 << 30 }) {
            let before = try addressSpace()
            for _ in 0..<1000 {
                let done = Latch()
                _ = try DedicatedThread(name: "short", stackBytes: 8 << 20) { done.open() }
                done.wait()
            }
            growths.append(try addressSpace() - before)
        }
        #expect(growths.contains { $0 < 4 << 30 }, "\(growths)")
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
