/// The ids of tracks that were removed from a composition in this program: no later track gets one of them. They are no
/// part of the composition's value, and of its file.
package struct RemovedIDs: Hashable, Sendable {
    package var all: Set<Int> = []

    package static func == (left: RemovedIDs, right: RemovedIDs) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
