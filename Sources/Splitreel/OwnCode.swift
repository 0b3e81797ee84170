import AudioMixing
import Diagnostics
import Effects
package import SplitreelProject
import Synchronization

/// Code of a program's own under the ids by which compositions name it: effects, transitions, compositors and taps.
/// Given to a `Reader`, an `ImageGenerator` or an `ExportSession`, it is theirs alone:
///
/// ```swift
/// var code = OwnCode()
/// code.register(effect: "example.negative") { source, output, request in … }
/// ```
///
/// Several sessions may have other code under the same id, each its own, and it goes before what the process has
/// registered. A session with code of its own renders by threads: a process that renders for it would not have the
/// code, and a farm refuses it by name. What workers are to have is registered by the functions `register`.
public struct OwnCode: Sendable {
    /// One thing that has an id.
    struct Item: Sendable {
        var description: EffectDescription
        let install: @Sendable (EffectDescription) -> Void
        let forget: @Sendable (EffectDescription) -> Void
    }

    private var items: [Item] = []
    /// The last number of what was lent to a session: two things of one id differ by it. It begins anywhere, so that
    /// what one process has made is no other one's.
    private static let lent = Atomic<Int>(.random(in: 1 << 20...1 << 50))

    /// No code.
    public init() {}

    /// Whether there is no code.
    public var isEmpty: Bool { items.isEmpty }

    /// Adds a thing in place of one of its id and version.
    private mutating func add(_ item: Item) {
        items.removeAll { $0.description.name == item.description.name }
        items.append(item)
    }
}

// The same functions as those of the process.
extension OwnCode {
    /// Adds a compositor. `make` makes an instance, which serves one film at a time.
    public mutating func register(
        compositor make: @escaping @Sendable () -> any VideoCompositing, description: Description
    ) {
        add(.compositor(description, make))
    }

    /// Adds a compositor that is a closure; see `VideoCompositing.compose`.
    ///
    /// - Parameter pixelFormat: the format of source frames, and of those that it makes.
    public mutating func register(
        compositor description: Description, pixelFormat: PixelFormat = .rgba8,
        _ compose: @escaping @Sendable (_ request: CompositionRequest) async throws -> VideoFrame
    ) {
        add(.compositor(description) { ClosureCompositor(pixelFormat, compose) })
    }

    /// Adds an effect.
    public mutating func register(effect: any VideoEffect, description: Description) {
        add(.effect(description, effect))
    }

    /// Adds an effect that is a closure; see `VideoEffect.render`.
    public mutating func register(
        effect description: Description, pixelFormat: PixelFormat = .rgba8,
        _ render:
            @escaping @Sendable (_ source: VideoFrame, _ output: VideoFrame, _ request: EffectRequest) async throws
            -> Void
    ) {
        add(.effect(description, ClosureEffect(pixelFormat, render)))
    }

    /// Adds a transition.
    public mutating func register(transition: any VideoTransition, description: Description) {
        add(.transition(description, transition))
    }

    /// Adds a transition that is a closure; see `VideoTransition.render`.
    public mutating func register(
        transition description: Description, pixelFormat: PixelFormat = .rgba8,
        _ render:
            @escaping @Sendable (
                _ first: VideoFrame, _ second: VideoFrame, _ progress: Double, _ output: VideoFrame,
                _ request: EffectRequest
            ) async throws -> Void
    ) {
        add(.transition(description, ClosureTransition(pixelFormat, render)))
    }

    /// Adds a tap. `make` makes one for each mixing of the sound.
    public mutating func register(
        tap make: @escaping @Sendable (AudioTapContext) throws -> any AudioProcessingTap, description: Description
    ) {
        add(.tap(description, make))
    }
}

// MARK: - Sessions

extension OwnCode {
    /// The code that a session is lent, for as long as this value lives: then nothing may be rendered with it any more.
    package final class Loan: Sendable {
        fileprivate let items: [Item]

        /// Whether the project names none of the code.
        package var isEmpty: Bool { items.isEmpty }

        fileprivate init(_ items: [Item]) { self.items = items }

        deinit { for item in items { item.forget(item.description) } }
    }

    /// The project with names of the session's own for this code, and the code under these names.
    package func lent(to project: Project) -> (project: Project, loan: Loan) {
        guard !isEmpty else { return (project, Loan([])) }
        var renamed = project
        var taken: [String: Item] = [:]
        renamed.changeRegistered { choice in
            guard var item = item(choice) else { return }
            let name = item.description.name
            if let known = taken[name] {
                item = known
            } else {
                item.description.id = EffectRegistry.sessionPrefix + item.description.id
                item.description.version = Self.lent.add(1, ordering: .relaxed).newValue
                item.install(item.description)
                taken[name] = item
            }
            (choice.id, choice.version) = (item.description.id, item.description.version)
        }
        return (renamed, Loan(Array(taken.values)))
    }

    /// Throws where the project names code that only a session has: no worker has it.
    package func refuseOnFarm(_ project: Project) throws {
        var names: Set<String> = []
        var copy = project
        copy.changeRegistered { choice in
            guard choice.enabled != false else { return }
            if choice.id.hasPrefix(EffectRegistry.sessionPrefix) || item(choice) != nil { names.insert(choice.id) }
        }
        guard !names.isEmpty else { return }
        throw SplitreelError(
            .effectUnknown, operation: "rendering on a farm", subject: names.sorted().joined(separator: ", "),
            reason: "it is code of the program's session, which no worker has",
            hint: "register it before `serveFarmIfAsked()`, or render by threads")
    }

    /// The thing that a composition names, of its version or the newest; nil where it is not of this code.
    private func item(_ choice: RegisteredChoice) -> Item? {
        items.filter {
            $0.description.id == choice.id && (choice.version == nil || $0.description.version == choice.version)
        }.max { $0.description.version < $1.description.version }
    }
}

// MARK: - Items

extension OwnCode.Item {
    static func compositor(
        _ description: Description, _ make: @escaping @Sendable () -> any VideoCompositing
    ) -> OwnCode.Item {
        OwnCode.Item(
            description: description.effect(.compositor),
            install: { CompositorKernels.register($0) { CompositorAdapter(make()) } },
            forget: { CompositorKernels.forget($0) })
    }

    static func effect(_ description: Description, _ effect: any VideoEffect) -> OwnCode.Item {
        OwnCode.Item(
            description: description.effect(.effect),
            install: { EffectKernels.register($0, EffectAdapter(effect, framesBehind: description.framesBehind)) },
            forget: { EffectKernels.forget($0) })
    }

    static func transition(_ description: Description, _ transition: any VideoTransition) -> OwnCode.Item {
        OwnCode.Item(
            description: description.effect(.transition),
            install: { EffectKernels.register($0, TransitionAdapter(transition)) },
            forget: { EffectKernels.forget($0) })
    }

    static func tap(
        _ description: Description, _ make: @escaping @Sendable (AudioTapContext) throws -> any AudioProcessingTap
    ) -> OwnCode.Item {
        OwnCode.Item(
            description: description.effect(.tap),
            install: { effect in
                TapKernels.register(effect) { recipe, context, leaders, sound in
                    try TapAdapter(recipe, context, leaders: leaders, sound: sound, make)
                }
            }, forget: { TapKernels.forget($0) })
    }

    /// Gives it to the whole process.
    func register() {
        precondition(
            !description.id.hasPrefix(EffectRegistry.sessionPrefix), "`session.` begins ids of sessions' code alone")
        install(description)
    }
}
