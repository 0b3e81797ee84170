extension RandomAccessCollection {
    /// The index of the first element for which the test fails, by binary search: it must hold for the elements at the
    /// front and for no other. The end index where it holds for all.
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
