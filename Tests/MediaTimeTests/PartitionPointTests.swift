import MediaTime
import TestTools
import Testing

@Suite("Binary search")
struct PartitionPointTests {
    /// Against a walk from the front, in whole arrays and in parts whose indices do not begin at 0.
    @Test func asByWalking() {
        var random = SeededNumbers(seed: 11)
        for count in 0..<70 {
            let numbers = (0..<count).map { _ in random.next(in: 0..<20) }.sorted()
            for part in [numbers[...], numbers.dropFirst(3), numbers.dropLast(2)] {
                for limit in 0...20 {
                    let walked = part.firstIndex { $0 >= limit } ?? part.endIndex
                    #expect(part.partitionPoint { $0 < limit } == walked)
                }
            }
        }
        #expect((5..<5).partitionPoint { _ in true } == 5)
    }
}
