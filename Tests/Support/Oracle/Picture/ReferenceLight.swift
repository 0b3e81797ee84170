/// The parts of the work that are done in linear light: `blendSpace` and `scaleSpace`.
struct ReferenceLight {
    var blends = false
    var scales = false

    init() {}

    /// - Parameter colour: `video.color`.
    init(_ colour: JSON) throws {
        func isLinear(_ key: String) throws -> Bool { try colour[key].ifPresent { try $0.text } == "linear" }
        (blends, scales) = (try isLinear("blendSpace"), try isLinear("scaleSpace"))
    }
}

/// Source-over of light on a canvas as it was before a layer.
struct LightMixing {
    private let canvas: Planes
    private let colour: ReferenceColour

    init(_ canvas: Planes) {
        self.canvas = canvas
        colour = ReferenceColour(from: canvas.encoding, to: canvas.encoding)
    }

    /// The samplers of all planes at one plane's places.
    func samplers(_ plane: Int) -> [Sampler] {
        let cell = canvas.format.cell(plane)
        return (0..<3).map { Sampler(canvas, $0, (1, 1), (Double(cell.x), Double(cell.y))) }
    }

    /// The canvas's values at a point; those of `plane` are its own.
    func sample(_ samplers: [Sampler], _ plane: Int, _ place: (x: Double, y: Double)) -> SIMD3<Double> {
        SIMD3(
            samplers[0].sample(place.x, place.y).value, samplers[1].sample(place.x, place.y).value,
            samplers[2].sample(place.x, place.y).value)
    }

    /// - Parameter weight: of `values`.
    func mixed(_ values: SIMD3<Double>, over others: SIMD3<Double>, _ weight: Double) -> SIMD3<Double> {
        if weight >= 1 { return values }
        if weight <= 0 { return others }
        return colour.values(ofLight: colour.light(values) * weight + colour.light(others) * (1 - weight))
    }
}
