extension EffectKernels {
    /// The kernels of transitions by id; their inputs are the pictures from and to.
    static let transitions = moves.merging(stationary) { first, _ in first }

    private static let moves = Dictionary(
        uniqueKeysWithValues: [
            ("slide", Move.Kind.slide), ("push", .push), ("cover", .cover), ("reveal", .reveal),
        ].flatMap { name, kind in
            [("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)].map { way, x, y in
                ("\(name).\(way)", Move(kind: kind, x: x, y: y) as any EffectKernel)
            }
        })

    private static let stationary: [String: any EffectKernel] = [
        "dissolve": Dissolve(),
        "dip-to-color": DipToColour(),
        "wipe.left": Wipe(x: -1, y: 0),
        "wipe.right": Wipe(x: 1, y: 0),
        "wipe.up": Wipe(x: 0, y: -1),
        "wipe.down": Wipe(x: 0, y: 1),
        "wipe.up-left": Wipe(x: -1, y: -1),
        "wipe.up-right": Wipe(x: 1, y: -1),
        "wipe.down-left": Wipe(x: -1, y: 1),
        "wipe.down-right": Wipe(x: 1, y: 1),
        "iris.circle": CircleIris(),
        "iris.diamond": DiamondIris(),
        "clock": Clock(),
        "blinds": Blinds(),
        "luma-matte": LumaMatte(),
        "film-burn": FilmBurn(),
        "zoom": Zoom(),
        "blur-through": BlurThrough(),
    ]
}
