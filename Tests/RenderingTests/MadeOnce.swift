import Synchronization
import Testing

/// A value that is dear to make, made once for a suite and gone at its end; one test at a time has it.
final class MadeOnce<Value>: Sendable {
    private let value: Mutex<Value>

    init(_ value: sending Value) { self.value = Mutex(value) }

    func use<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        try value.withLock(body)
    }
}

struct MadeOnceTrait: SuiteTrait, TestScoping {
    @TaskLocal static var current: (any Sendable)?
    let make: @Sendable () throws -> any Sendable

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try make()) { try await function() }
    }

    /// The value that `making` of the suite gave.
    static func made<Value>(_ type: Value.Type = Value.self) throws -> MadeOnce<Value> {
        try #require(current as? MadeOnce<Value>)
    }
}

extension Trait where Self == MadeOnceTrait {
    static func making<Value>(_ make: @escaping @Sendable () throws -> sending Value) -> Self {
        Self { MadeOnce(try make()) }
    }
}
