// A function for each number of keys: one for all numbers, by a parameter pack, ends Swift 6.3's optimiser.
extension MediaAsset {
    /// Loads two values, see `load(_:)`.
    public func load<First, Second>(
        _ first: Key<First>, _ second: Key<Second>
    ) async throws -> (First, Second) {
        (try await load(first), try await load(second))
    }

    /// Loads three values, see `load(_:)`.
    public func load<First, Second, Third>(
        _ first: Key<First>, _ second: Key<Second>, _ third: Key<Third>
    ) async throws -> (First, Second, Third) {
        (try await load(first), try await load(second), try await load(third))
    }

    /// Loads four values, see `load(_:)`.
    public func load<First, Second, Third, Fourth>(
        _ first: Key<First>, _ second: Key<Second>, _ third: Key<Third>, _ fourth: Key<Fourth>
    ) async throws -> (First, Second, Third, Fourth) {
        (try await load(first), try await load(second), try await load(third), try await load(fourth))
    }

    /// Loads five values, see `load(_:)`.
    public func load<First, Second, Third, Fourth, Fifth>(
        _ first: Key<First>, _ second: Key<Second>, _ third: Key<Third>, _ fourth: Key<Fourth>, _ fifth: Key<Fifth>
    ) async throws -> (First, Second, Third, Fourth, Fifth) {
        (
            try await load(first), try await load(second), try await load(third), try await load(fourth),
            try await load(fifth)
        )
    }

    /// Loads six values, see `load(_:)`.
    public func load<First, Second, Third, Fourth, Fifth, Sixth>(
        _ first: Key<First>, _ second: Key<Second>, _ third: Key<Third>, _ fourth: Key<Fourth>, _ fifth: Key<Fifth>,
        _ sixth: Key<Sixth>
    ) async throws -> (First, Second, Third, Fourth, Fifth, Sixth) {
        (
            try await load(first), try await load(second), try await load(third), try await load(fourth),
            try await load(fifth), try await load(sixth)
        )
    }
}
