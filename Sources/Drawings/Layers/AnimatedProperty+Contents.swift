import ExactMath
import Pictures
import SplitreelProject

// Properties of a layer's contents: they are there where the layer shows such a thing.

extension AnimatedProperty {
    static let ofContents: [AnimatedProperty] = [
        AnimatedProperty(
            name: "contents", kind: .contents, get: { .contents($0.contents) },
            set: { state, value in if case .contents(let contents) = value { state.contents = contents } }),
        colour(
            "color", { if case .colour(let colour) = $0.contents { colour } else { nil } },
            { $0.contents = .colour($1) }),
        gradient("gradient.from", 2, { [$0.from.x, $0.from.y] }) { gradient, numbers in
            Gradient(
                isRadial: gradient.isRadial, from: (numbers[0], numbers[1]), to: gradient.to, stops: gradient.stops)
        },
        gradient("gradient.to", 2, { [$0.to.x, $0.to.y] }) { gradient, numbers in
            Gradient(
                isRadial: gradient.isRadial, from: gradient.from, to: (numbers[0], numbers[1]), stops: gradient.stops)
        },
        gradient("gradient.locations", nil, { $0.stops.map(\.place) }) { gradient, numbers in
            var gradient = gradient
            var last = 0.0
            for (index, number) in numbers.prefix(gradient.stops.count).enumerated() {
                last = number.held(in: last...1)
                gradient.stops[index].place = last
            }
            return gradient
        },
        gradient(gradientColours, nil, { $0.stops.flatMap(\.colour.components) }) { gradient, numbers in
            var gradient = gradient
            for index in gradient.stops.indices where numbers.count >= index * 4 + 4 {
                gradient.stops[index].colour =
                    Colour(numbers[(index * 4)..<(index * 4 + 4)]) ?? gradient.stops[index].colour
            }
            return gradient
        },
    ]

    /// The one property whose numbers are several colours.
    static let gradientColours = "gradient.colors"

    private static func gradient(
        _ name: String, _ count: Int?, _ get: @escaping @Sendable (Gradient) -> [Double],
        _ change: @escaping @Sendable (Gradient, [Double]) -> Gradient
    ) -> AnimatedProperty {
        numbers(
            name, count, { if case .gradient(let gradient) = $0.contents { get(gradient) } else { nil } },
            { state, numbers in
                guard case .gradient(let gradient) = state.contents else { return }
                state.contents = .gradient(change(gradient, numbers))
            })
    }
}

// MARK: - Text

extension AnimatedProperty {
    static let ofText: [AnimatedProperty] = [
        AnimatedProperty(
            name: "text.string", kind: .word, get: { $0.text.map { .word($0.string) } },
            set: { state, value in
                guard case .word(let word) = value else { return }
                state.text?.string = word
                state.text?.spans = []
            }),
        colour("text.color", { $0.text?.colour }, { $0.text?.colour = $1 }),
        text("text.size", { $0.font.size }, { $0.font.size = $1.held(in: 1...4096) }),
        text("text.tracking", { $0.tracking }, { $0.tracking = $1.held(in: -4096...4096) }),
        text("text.leading", { $0.leading }, { $0.leading = $1.held(in: 0...16384) }),
        text(
            "text.weight", { Double($0.font.weight ?? 400) },
            { $0.font.weight = Int($1.held(in: 1...1000).rounded()) }),
        text("text.outline.width", { $0.outline?.width }, { $0.outline?.width = $1.held(in: 0...256) }),
        colour("text.outline.color", { $0.text?.outline?.colour }, { $0.text?.outline?.colour = $1 }),
        text("text.shadow.blur", { $0.shadow?.blur }, { $0.shadow?.blur = $1.held(in: 0...256) }),
        colour("text.shadow.color", { $0.text?.shadow?.colour }, { $0.text?.shadow?.colour = $1 }),
        colour("text.background.color", { $0.text?.background?.colour }, { $0.text?.background?.colour = $1 }),
        text(
            "text.background.cornerRadius", { $0.background?.cornerRadius },
            { $0.background?.cornerRadius = $1.held(in: 0...16384) }),
        text(
            "text.reveal", { $0.reveal?.progress ?? 1 },
            { text, number in
                let reveal = text.reveal ?? TextReveal(unit: .glyph, style: .typewriter, progress: 1)
                let progress = number.held(in: 0...1)
                text.reveal =
                    progress < 1 ? TextReveal(unit: reveal.unit, style: reveal.style, progress: progress) : nil
            }),
    ]

    private static func text(
        _ name: String, _ get: @escaping @Sendable (TextDrawing) -> Double?,
        _ set: @escaping @Sendable (inout TextDrawing, Double) -> Void
    ) -> AnimatedProperty {
        numbers(
            name, 1, { state in state.text.flatMap(get).map { [$0] } },
            { state, numbers in
                guard var text = state.text else { return }
                set(&text, numbers[0])
                state.text = text
            })
    }
}

// MARK: - Shapes

extension AnimatedProperty {
    static let ofShape: [AnimatedProperty] = [
        shape("shape.lineWidth", { $0.lineWidth }, { $0.lineWidth = $1.held(in: 0...16384) }),
        shape("shape.lineDashPhase", { $0.dashPhase }, { $0.dashPhase = $1.held(in: -1_000_000...1_000_000) }),
        shape("shape.strokeStart", { $0.strokeStart }, { $0.strokeStart = $1.held(in: 0...1) }),
        shape("shape.strokeEnd", { $0.strokeEnd }, { $0.strokeEnd = $1.held(in: 0...1) }),
        shape("shape.miterLimit", { $0.miterLimit }, { $0.miterLimit = $1.held(in: 1...1000) }),
        colour("shape.fillColor", { $0.shape?.fillColour }, { $0.shape?.fillColour = $1 }),
        colour("shape.strokeColor", { $0.shape?.strokeColour }, { $0.shape?.strokeColour = $1 }),
        AnimatedProperty(
            name: "shape.path", kind: .path, get: { $0.shape.map { .path($0.path) } },
            set: { state, value in if case .path(let path) = value { state.shape?.path = path } }),
    ]

    private static func shape(
        _ name: String, _ get: @escaping @Sendable (ShapeDrawing) -> Double,
        _ set: @escaping @Sendable (inout ShapeDrawing, Double) -> Void
    ) -> AnimatedProperty {
        numbers(
            name, 1, { state in state.shape.map { [get($0)] } },
            { state, numbers in
                guard var shape = state.shape else { return }
                set(&shape, numbers[0])
                state.shape = shape
            })
    }
}

extension LayerState {
    fileprivate var text: TextDrawing? {
        get { if case .text(let text) = contents { text } else { nil } }
        set { if let newValue { contents = .text(newValue) } }
    }

    fileprivate var shape: ShapeDrawing? {
        get { if case .shape(let shape) = contents { shape } else { nil } }
        set { if let newValue { contents = .shape(newValue) } }
    }
}
