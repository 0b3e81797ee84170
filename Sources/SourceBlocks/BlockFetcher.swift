package import Threads

/// The hands that bring a source's bytes from where the source is.
package protocol BlockFetcher: Sendable {
    /// The source's bytes in a range, 1 MiB of them at most, and all of them; blocks, from any thread, several at once.
    ///
    /// Whoever calls does not try again: what can be tried again (a link that broke) is tried here, within a limit of
    /// time. Throws `mediaNotDelivered` behind that limit, `mediaChanged` where the source is another one by now,
    /// `cancelled` soon after the work is stopped.
    func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8]
}

/// Units of one source, each checked: its bytes have the sum that the source's map has of it.
package protocol BlockSupply: Sendable {
    /// A unit's bytes; blocks, from any thread. Throws as `BlockFetcher` does.
    func bytes(of unit: BlockUnit, stop: WorkStop) throws -> UnitBytes
}
