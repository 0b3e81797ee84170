extension RandomAccessCollection {
    /// The first place whose element the test does not hold for, by binary search: it holds for those at the front and
    /// for no other.
    @inlinable package func partitionPoint(where holds: (Element) throws -> Bool) rethrows -> Index {
        var (low, length) = (startIndex, count)
        while length > 0 {
            let middle = index(low, offsetBy: length / 2)
            if try holds(self[middle]) {
                low = index(after: middle)
                length -= length / 2 + 1
            } else {
                length /= 2
            }
        }
        return low
    }
}
