import AudioMixing
import Effects
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

    /// The most frames that an effect may see on either side of its own.
    public static let mostFramesAround = 16

    /// - Parameters:
    ///   - id: such as `example.split`; two things of one id have different versions.
    ///   - version: to be raised whenever it makes other pictures, or other samples, of the same parameters.
    ///   - meaning: one sentence for people, which `splitreel effects` prints.
    ///   - usesTime: an effect's picture changes though its source and its parameters do not; compositors always count
    ///     as such.
    ///   - makesAlpha: an effect can leave parts of an opaque picture transparent.
    ///   - framesBehind: how many frames before its own an effect sees, see `EffectRequest.frame`; up to 16.
    ///   - framesAhead: how many after it.
    ///   - needsSystem: its code opens files, sockets or devices of its own, or starts programs. Films that use it are
    ///     rendered by processes that are not confined, and `splitreel doctor` says so. Without it the code has what it
    ///     gets: its frames, its samples and its parameters.
    public init(
        _ id: String, version: Int = 1, _ meaning: String, parameters: [ParameterDescription] = [],
        usesTime: Bool = false, makesAlpha: Bool = false, framesBehind: Int = 0, framesAhead: Int = 0,
        needsSystem: Bool = false
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
    }

    fileprivate func effect(_ kind: EffectDescription.Kind) -> EffectDescription {
        precondition(
            ParameterDescription.suit(kind, parameters),
            kind == .tap
                ? "a tap has one sound and one audio track at most, and no colours"
                : "sounds and audio tracks are of taps")
        return EffectDescription(id, version: version, kind, meaning, parameters.map(\.inner)).with {
            $0.usesTime = usesTime || kind == .compositor
            $0.makesAlpha = makesAlpha
            $0.needsSystem = needsSystem
            if kind == .effect { ($0.framesBehind, $0.framesAhead) = (framesBehind, framesAhead) }
        }
    }
}

/// Lets compositions name a compositor. To be called before `main()`, the same way in the program that plans and in
/// every worker; twice for one id and version is a programming error.
///
/// - Parameter make: an instance serves one film at a time, and is kept for the next one.
public func register(compositor make: @escaping @Sendable () -> any VideoCompositing, description: Description) {
    CompositorKernels.register(description.effect(.compositor)) { CompositorAdapter(make()) }
}

/// Lets compositions name an effect. To be called before `main()`, as for compositors.
public func register(effect: any VideoEffect, description: Description) {
    EffectKernels.register(
        description.effect(.effect), EffectAdapter(effect, framesBehind: description.framesBehind))
}

/// Lets compositions name a transition. To be called before `main()`, as for compositors.
public func register(transition: any VideoTransition, description: Description) {
    EffectKernels.register(description.effect(.transition), TransitionAdapter(transition))
}

/// Lets compositions name a tap, of a track or of the whole mix. To be called before `main()`, as for compositors.
///
/// - Parameter make: makes one for each mixing of the sound, of which a film may need several (where a loudness is
///   measured first); its errors fail the sound with their words. Called on any thread.
public func register(
    tap make: @escaping @Sendable (AudioTapContext) throws -> any AudioProcessingTap, description: Description
) {
    TapKernels.register(description.effect(.tap)) { recipe, context, leaders, sound in
        try TapAdapter(recipe, context, leaders: leaders, sound: sound, make)
    }
}
