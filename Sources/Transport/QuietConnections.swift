/// The connections of a socket from which no message has come yet, by their descriptors. A value.
struct QuietConnections {
    /// The place of each in the order in which they came.
    private var arrivals: [Int32: UInt64] = [:]
    private var last: UInt64 = 0

    mutating func add(_ descriptor: Int32) {
        last += 1
        arrivals[descriptor] = last
    }

    /// Forgets one that has spoken, or is gone.
    mutating func remove(_ descriptor: Int32) { arrivals[descriptor] = nil }

    /// The connections that are to end where a socket has `count`, and may have `most`: those that came first, so many
    /// that three quarters of the most are left. Then not each further one makes this sort them again.
    func excess(of count: Int, most: Int) -> [Int32] {
        guard count > most else { return [] }
        return arrivals.sorted { $0.value < $1.value }.prefix(count - most * 3 / 4).map(\.key)
    }
}
