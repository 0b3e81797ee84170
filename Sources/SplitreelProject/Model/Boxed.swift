/// A wide value behind one reference, so that whatever holds it is copied by a retain and not property by property.
///
/// A value as before: copies share what they hold until one of them is set. Setting allocates, reading does not. It is
/// for what is made once, from a file or for a plan, and then read.
package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @usableFromInline
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (one: Boxed, other: Boxed) -> Bool { one.value == other.value }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
