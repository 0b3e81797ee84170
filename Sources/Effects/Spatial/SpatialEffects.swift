import Pictures

extension EffectKernels {
    static let spatialEffects: [String: any EffectKernel] = [
        "blur": GaussianBlur(), "box-blur": BoxBlur(), "directional-blur": DirectionalBlur(), "sharpen": Sharpen(),
        "glow": Glow(), "vignette": Vignette(), "grain": Grain(), "pixelate": Pixelate(), "mirror": Mirror(),
        "lens-distortion": LensDistortion(), "drop-shadow": DropShadow(), "mask": PictureMask(parameter: "image"),
        "mask-shape": ShapeMask(), "mask-track": PictureMask(parameter: "track"), "echo": Echo(),
    ]
}
