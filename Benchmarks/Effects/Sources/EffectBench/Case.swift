import Diagnostics
import Foundation
import JSONText
import MediaTime
import SplitreelProject

/// An effect with parameters, as a file would have it.
struct Case {
    let name, id: String
    private let params: String
    var inAllKinds = false
    var makesAlpha = false

    init(_ name: String, _ id: String, _ params: String = "{}", all: Bool = false, makesAlpha: Bool = false) {
        (self.name, self.id, self.params, inAllKinds, self.makesAlpha) = (name, id, params, all, makesAlpha)
    }

    var isBlend: Bool { id.hasPrefix("blend.") || EffectRegistry.description(of: id, version: 1)?.kind == .blend }

    /// Half way, at 1 s; nil where the program has no such effect.
    var call: EffectCall? {
        guard let description = EffectRegistry.description(of: id, version: 1) else { return nil }
        var problems: [Problem] = []
        let parameters = EffectParameters(
            try? JSONValue(parsing: Data(params.utf8)), of: description, "", problems: &problems)
        var call = EffectCall(id: id, version: 1, values: parameters.values(at: Rational(1)))
        if !problems.isEmpty { print(problems) }
        (call.progress, call.time) = (0.4, Rational(1))
        return call
    }

    static let all: [Case] =
        [
            Case("lut .cube 33", "lut", #"{"lut": "cube"}"#, all: true),
            Case("exposure", "exposure", #"{"stops": 0.5}"#), Case("saturation", "saturation", #"{"amount": 1.4}"#),
            Case("chroma key", "chroma-key", all: true, makesAlpha: true),
            Case("luma key", "luma-key", makesAlpha: true),
            Case("blur 20", "blur", #"{"radius": 20}"#, all: true), Case("blur 3", "blur", #"{"radius": 3}"#),
            Case("box blur", "box-blur"), Case("line of 40, level", "directional-blur", #"{"length": 40}"#, all: true),
            Case("line of 40, upright", "directional-blur", #"{"length": 40, "angle": 90}"#),
            Case("line of 40, aslant", "directional-blur", #"{"length": 40, "angle": 30}"#),
            Case("line of 300, aslant", "directional-blur", #"{"length": 300, "angle": 30}"#),
            Case("sharpen", "sharpen"), Case("glow", "glow"), Case("vignette", "vignette"), Case("grain", "grain"),
            Case("squares", "pixelate"), Case("mirror left", "mirror", all: true),
            Case("mirror top", "mirror", #"{"keep": "top"}"#),
            Case("lens distortion", "lens-distortion", #"{"k1": -0.2, "k2": 0.05}"#, all: true, makesAlpha: true),
            Case("shadow", "drop-shadow", all: true, makesAlpha: true),
        ]
        + ["wipe.left", "slide.left", "push.left", "iris.circle", "clock", "dissolve", "dip-to-color"].map {
            Case("transition \($0)", $0)
        }
        + ["zoom", "blur-through"].map { Case("transition \($0)", $0, all: true) }
        + ["multiply", "screen", "soft-light", "difference"].map { Case("blend \($0)", "blend.\($0)", all: true) }
}
