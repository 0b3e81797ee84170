import Composition
import Effects
import Foundation
import SplitreelCommands

/// A parameter that a composition may set under `params`: what it may be, and what it is when nothing is said.
public struct ParameterDescription: Sendable {
    let inner: EffectParameter

    /// Keys may move it.
    public static func number(
        _ name: String, _ range: ClosedRange<Double>, default fallback: Double, _ meaning: String
    ) -> ParameterDescription {
        ParameterDescription(inner: .number(name, range, default: fallback, meaning))
    }

    /// Red, green, blue and straight alpha, 0 to 1; keys may move it.
    public static func color(_ name: String, default fallback: [Double], _ meaning: String) -> ParameterDescription {
        precondition(fallback.count == 4, "a colour has four numbers")
        return ParameterDescription(inner: EffectParameter(name, .colour(fallback: fallback), meaning))
    }

    public static func word(
        _ name: String, _ words: [String], default fallback: String, _ meaning: String
    ) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .word(words, fallback: fallback), meaning))
    }

    public static func flag(_ name: String, default fallback: Bool, _ meaning: String) -> ParameterDescription {
        ParameterDescription(inner: EffectParameter(name, .flag(fallback: fallback), meaning))
    }
}

/// By what compositions name something that a program registers, and what they may say of it.
public struct Description: Sendable {
    let id: String
    let version: Int
    let meaning: String
    let parameters: [ParameterDescription]
    let usesTime: Bool
    let makesAlpha: Bool

    /// - Parameters:
    ///   - id: such as `example.split`; two things of one id have different versions.
    ///   - version: to be raised whenever it makes other pictures of the same parameters.
    ///   - meaning: one sentence for people, which `splitreel effects` prints.
    ///   - usesTime: an effect's picture changes though its source and its parameters do not; compositors always count
    ///     as such.
    ///   - makesAlpha: an effect can leave parts of an opaque picture transparent.
    public init(
        _ id: String, version: Int = 1, _ meaning: String, parameters: [ParameterDescription] = [],
        usesTime: Bool = false, makesAlpha: Bool = false
    ) {
        (self.id, self.version, self.meaning, self.parameters) = (id, version, meaning, parameters)
        (self.usesTime, self.makesAlpha) = (usesTime, makesAlpha)
    }

    fileprivate func effect(_ kind: EffectDescription.Kind) -> EffectDescription {
        EffectDescription(id, version: version, kind, meaning, parameters.map(\.inner)).with {
            $0.usesTime = usesTime || kind == .compositor
            $0.makesAlpha = makesAlpha
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

/// Lets compositions name an effect; likewise.
public func register(effect: any VideoEffect, description: Description) {
    EffectKernels.register(description.effect(.effect), EffectAdapter(effect))
}

/// The whole command line of `splitreel` with what was registered: renders, plans, coordinates, works. Ends the
/// process.
@MainActor
public func main() async -> Never {
    exit(await runSplitreel(arguments: Array(CommandLine.arguments.dropFirst())))
}
