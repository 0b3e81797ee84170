import SplitreelProject

/// The name by which compositions call something that a program registers, and the parameters that they may set.
public struct Description: Sendable {
    let id: String
    let version: Int
    let meaning: String
    let parameters: [ParameterDescription]
    let usesTime: Bool
    let makesAlpha: Bool
    let framesBehind: Int
    let framesAhead: Int
    let needsSystem: Bool
    let containsTweening: Bool

    /// The most frames that an effect may see on either side of its own.
    public static let mostFramesAround = 16

    /// - Parameters:
    ///   - id: such as `example.split`; two things of one id have different versions.
    ///   - version: to be raised whenever it makes other pictures, or other samples, of the same parameters.
    ///   - meaning: one sentence for people, which `splitreel effects` prints.
    ///   - usesTime: an effect's picture changes though its source and its parameters do not.
    ///   - makesAlpha: an effect can leave parts of an opaque picture transparent.
    ///   - framesBehind: how many frames before its own an effect sees, see `EffectRequest.frame`; up to 16.
    ///   - framesAhead: how many after it.
    ///   - needsSystem: its code opens files, sockets or devices of its own, or starts programs. Films that use it are
    ///     rendered by processes that are not confined, and `splitreel doctor` says so. Without it the code has what it
    ///     gets: its frames, its samples and its parameters.
    ///   - containsTweening: a compositor's picture changes with time, though nothing else does. Where it does not, say
    ///     false: a frame is made once for as long as the source frames, the parameters, the layers' values and the
    ///     samples of metadata stay the same.
    public init(
        _ id: String, version: Int = 1, _ meaning: String, parameters: [ParameterDescription] = [],
        usesTime: Bool = false, makesAlpha: Bool = false, framesBehind: Int = 0, framesAhead: Int = 0,
        needsSystem: Bool = false, containsTweening: Bool = true
    ) {
        let frames = 0...Self.mostFramesAround
        precondition(frames.contains(framesBehind) && frames.contains(framesAhead), "0 to 16 frames on either side")
        self.id = id
        self.version = version
        self.meaning = meaning
        self.parameters = parameters
        (self.usesTime, self.makesAlpha) = (usesTime, makesAlpha)
        (self.framesBehind, self.framesAhead) = (framesBehind, framesAhead)
        self.needsSystem = needsSystem
        self.containsTweening = containsTweening
    }

    func effect(_ kind: EffectDescription.Kind) -> EffectDescription {
        precondition(
            ParameterDescription.suit(kind, parameters),
            kind == .tap
                ? "a tap has one sound and one audio track at most, and no colours or values of any kind"
                : "sounds and audio tracks are of taps, required tracks of compositors, once")
        return EffectDescription(id, version: version, kind, meaning, parameters.map(\.inner)).with {
            $0.usesTime = kind == .compositor ? containsTweening : usesTime
            $0.runsInTasks = kind != .tap
            $0.makesAlpha = makesAlpha
            $0.needsSystem = needsSystem
            if kind == .effect { ($0.framesBehind, $0.framesAhead) = (framesBehind, framesAhead) }
        }
    }
}

extension Description: ExpressibleByStringLiteral {
    /// A description of an id alone: version 1, without parameters.
    public init(stringLiteral id: String) { self.init(id, "Code of the program's own.") }
}

/// Lets compositions name a compositor. To be called before `serveFarmIfAsked()` or `main()`, the same way in the
/// program that plans and in every worker; twice for one id and version is a programming error. `OwnCode` is for code
/// that one session has.
///
/// - Parameter make: an instance serves one film at a time, and is kept for the next one.
public func register(compositor make: @escaping @Sendable () -> any VideoCompositing, description: Description) {
    OwnCode.Item.compositor(description, make).register()
}

/// Lets compositions name a compositor that is a closure; see `VideoCompositing.compose`.
///
/// - Parameter pixelFormat: the format of source frames, and of those that it makes.
public func register(
    compositor description: Description, pixelFormat: PixelFormat = .rgba8,
    _ compose: @escaping @Sendable (_ request: CompositionRequest) async throws -> VideoFrame
) {
    OwnCode.Item.compositor(description) { ClosureCompositor(pixelFormat, compose) }.register()
}

/// Lets compositions name an effect. To be called early, as for compositors.
public func register(effect: any VideoEffect, description: Description) {
    OwnCode.Item.effect(description, effect).register()
}

/// Lets compositions name an effect that is a closure; see `VideoEffect.render`.
public func register(
    effect description: Description, pixelFormat: PixelFormat = .rgba8,
    _ render:
        @escaping @Sendable (_ source: VideoFrame, _ output: VideoFrame, _ request: EffectRequest) async throws -> Void
) {
    OwnCode.Item.effect(description, ClosureEffect(pixelFormat, render)).register()
}

/// Lets compositions name a transition. To be called early, as for compositors.
public func register(transition: any VideoTransition, description: Description) {
    OwnCode.Item.transition(description, transition).register()
}

/// Lets compositions name a transition that is a closure; see `VideoTransition.render`.
public func register(
    transition description: Description, pixelFormat: PixelFormat = .rgba8,
    _ render:
        @escaping @Sendable (
            _ first: VideoFrame, _ second: VideoFrame, _ progress: Double, _ output: VideoFrame,
            _ request: EffectRequest
        ) async throws -> Void
) {
    OwnCode.Item.transition(description, ClosureTransition(pixelFormat, render)).register()
}

/// Lets compositions name a tap, of a track or of the whole mix. To be called early, as for compositors.
///
/// - Parameter make: makes one for each mixing of the sound, of which a film may need several (where a loudness is
///   measured first); its errors fail the sound with their words. Called on any thread.
public func register(
    tap make: @escaping @Sendable (AudioTapContext) throws -> any AudioProcessingTap, description: Description
) {
    OwnCode.Item.tap(description, make).register()
}
