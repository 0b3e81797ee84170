/// The place that messages of one connection come from and answers to it go to; opaque to the brain, which compares it
/// only.
///
/// A slot that registers anew has another peer. A peer travels in the events and actions that bind a name to a
/// connection, so that nothing that was decided about the old connection can touch the new one.
package struct Peer: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}
