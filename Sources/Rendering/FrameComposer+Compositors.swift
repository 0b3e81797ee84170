import Effects
import Libav
import MediaTime
import Outputs
import Pictures
import SplitreelProject
import SplitreelTimeline

// Frames that a compositor of a program's own makes: several are under way at once, and come out in their order.
extension FrameComposer {
    /// Frames that may be begun before the first of them is asked for; each has its sources and its picture in memory.
    static let mostBegun = 3

    /// Begins the compositors' pictures of a frame, and does not wait. Frames are to be asked for in the same order.
    func begin(_ job: FrameJob) throws {
        effectMemory.hold(job.files)
        for effect in Self.innermost(.group(job.recipe)) where begun[effect] == nil {
            begun[effect] = try start(effect, job)
        }
    }

    /// The compositors' effects that need no other compositor's picture. Groups in another colour have none: another
    /// composer makes them.
    private static func innermost(_ node: PictureNode) -> [EffectPicture] {
        if case .group(let group) = node, group.colour != nil { return [] }
        let within = node.children.flatMap(innermost)
        guard within.isEmpty, case .effect(let effect) = node, effect.call.instruction != nil else { return within }
        return [effect]
    }

    func composedByOwn(_ effect: EffectPicture, _ job: FrameJob) throws -> Picture {
        try host.finish(try begun.removeValue(forKey: effect) ?? start(effect, job))
    }

    private func start(_ effect: EffectPicture, _ job: FrameJob) throws -> CompositorHost.Composition {
        let inputs = try effect.inputs.map { try picture(of: $0, job) }
        let canvas = try canvas(effect.size, hasAlpha: effect.hasAlpha)
        canvas.number = number
        let target = Picture(try canvas.pool.take())
        let isWhole = effect.size == settings.size
        let context = CompositorContext(
            size: effect.size, hasAlpha: target.image.alpha != nil, scale: (effect.call.scaleX, effect.call.scaleY),
            pixelAspect: isWhole ? settings.pixelAspect?.ratio ?? 1 : 1, encoding: settings.canvasEncoding)
        return try host.start(effect.call, inputs, into: target, context)
    }

    // MARK: - Hints, for the film's own compositor

    func preroll(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        try host.preroll(name, from: start, to: end)
    }

    func anticipate(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        try host.anticipate(name, from: start, to: end)
    }
}
