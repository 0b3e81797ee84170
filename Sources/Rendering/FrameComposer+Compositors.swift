import Diagnostics
import Effects
import Libav
import MediaTime
import Outputs
import Pictures
import SplitreelProject
import SplitreelTimeline

// Pictures that a program's own code makes: those of several frames are under way at once, and come out in their order.
extension FrameComposer {
    /// Frames that may be begun before the first of them is asked for; each has its sources and its picture in memory.
    static let mostBegun = 3

    /// Begins the pictures of own code of a frame, and does not wait. Frames are to be asked for in the same order.
    func begin(_ job: FrameJob) throws {
        guard begun.isNext(job.recipe) else { return }
        effectMemory.hold(job.files)
        for effect in innermost(.group(job.recipe)) where !begun.has(effect) {
            begun.add(effect, try start(effect, job))
        }
    }

    /// The pictures of own code that are not there yet, and need no other such picture. Groups in another colour have
    /// none: another composer makes them.
    private func innermost(_ node: PictureNode) -> [EffectPicture] {
        if case .group(let group) = node, group.colour != nil { return [] }
        var found = node.children.flatMap(innermost)
        if found.isEmpty, case .effect(let effect) = node, isOwn(effect) { found = [effect] }
        return found.isEmpty || knows(node) ? [] : found
    }

    private func isOwn(_ effect: EffectPicture) -> Bool {
        effect.call.instruction != nil || EffectKernels.own(id: effect.call.id, version: effect.call.version) != nil
    }

    func madeByOwn(_ effect: EffectPicture, _ job: FrameJob) throws -> Picture {
        try host.finish(try begun.take(effect) ?? start(effect, job))
    }

    private func start(_ effect: EffectPicture, _ job: FrameJob) throws -> CompositorHost.Composition {
        let kernel = effect.call.instruction == nil ? try kernel(of: effect.call) : nil
        let inputs = try effect.inputs.map { try picture(of: $0, job) }
        let canvas = try canvas(effect.size, hasAlpha: effect.hasAlpha)
        canvas.number = number
        let target = Picture(try canvas.pool.take())
        if let kernel { return host.start(effect.call, kernel, inputs, into: target) }
        let isWhole = effect.size == settings.size
        let context = CompositorContext(
            size: effect.size, hasAlpha: target.image.alpha != nil, scale: (effect.call.scaleX, effect.call.scaleY),
            pixelAspect: isWhole ? settings.pixelAspect?.ratio ?? 1 : 1, encoding: settings.canvasEncoding)
        return try host.start(effect.call, inputs, into: target, context)
    }

    private func kernel(of call: EffectCall) throws -> any OwnEffectKernel {
        guard let kernel = EffectKernels.own(id: call.id, version: call.version) else {
            throw SplitreelError(
                .effectUnknown, operation: "composing", subject: call.id,
                reason: "this worker does not have version \(call.version) of it",
                hint: "start the worker from the program that has it")
        }
        return kernel
    }

    // MARK: - Hints, for the film's own compositor

    func preroll(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        try host.preroll(name, from: start, to: end)
    }

    func anticipate(_ name: (id: String, version: Int), from start: Rational, to end: Rational) throws {
        try host.anticipate(name, from: start, to: end)
    }
}
