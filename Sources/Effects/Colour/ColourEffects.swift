extension EffectKernels {
    static let colourEffects: [String: any EffectKernel] = [
        "exposure": CurveEffect.exposure, "white-balance": CurveEffect.whiteBalance,
        "lift-gamma-gain": CurveEffect.liftGammaGain, "levels": CurveEffect.levels, "curves": CurveEffect.curves,
        "brightness": PlaneEffect.brightness, "contrast": PlaneEffect.contrast, "saturation": PlaneEffect.saturation,
        "hue": PlaneEffect.hue, "invert": PlaneEffect.invert,
        "black-and-white": MatrixEffect.blackAndWhite, "sepia": MatrixEffect.sepia, "tint": MatrixEffect.tint,
        "color-matrix": MatrixEffect.colourMatrix,
        "lut": LookUpEffect(), "chroma-key": ChromaKey(), "luma-key": LumaKey(),
    ]
}
