/// A part of a plan that one worker makes at a time.
package enum RenderTask: Hashable, Sendable {
    case chunk(Int)
    case audio
}
