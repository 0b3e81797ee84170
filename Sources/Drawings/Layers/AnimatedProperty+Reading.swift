import Diagnostics
package import JSONText
import Pictures
package import SplitreelProject

extension AnimatedProperty {
    /// The value that an animation's JSON stands for; nil where it is none for this property of this layer.
    ///
    /// - Parameters:
    ///   - state: the layer as the file has it, which says how many numbers there are.
    ///   - contents: the picture of a layer that has such contents; nil for none.
    package func value(
        _ json: JSONValue, of state: LayerState, contents: (LayerContents) -> LayerPicture?
    ) -> LayerValue? {
        guard hasUsableNumbers(json) else { return nil }
        switch kind {
        case .numbers(let count):
            let isOfColours = name == Self.gradientColours
            guard let numbers = (isOfColours ? json.spellingOutColours() : json).flatNumbers else { return nil }
            let wanted = count ?? { if case .numbers(let own)? = get(state) { own.count } else { 0 } }()
            if wanted == 2, numbers.count == 1, json.double != nil { return .numbers(numbers + numbers) }
            return numbers.count == wanted ? .numbers(numbers) : nil
        case .colour:
            guard let numbers = json.spellingOutColours().flatNumbers, numbers.count == 4 else { return nil }
            return numbers.allSatisfy { (-1...1).contains($0) } ? .numbers(numbers) : nil
        case .transform:
            return Self.read(LayerTransform.self, json).map { .transform(TransformState($0)) }
        case .path: return json.string.flatMap { try? DrawingPath(svg: $0) }.map { .path($0) }
        case .flag: if case .bool(let flag) = json { return .flag(flag) } else { return nil }
        case .word: return json.string.map { .word($0) }
        case .contents:
            var written = LayerContents()
            if let name = json.string {
                written.image = name
            } else {
                guard let read = Self.read(LayerContents.self, json) else { return nil }
                written = read
            }
            return contents(written).map { .contents($0) }
        }
    }

    /// Whether no number is too large to be mixed with others. Contents have their numbers checked where they are read.
    package func hasUsableNumbers(_ json: JSONValue) -> Bool {
        kind == .contents || json.numbersStay(in: Self.reach)
    }

    package static func read<Value: ProjectValue>(_ type: Value.Type, _ json: JSONValue) -> Value? {
        var reader = ProjectReader()
        let value = Value.read(json, &reader)
        return reader.problems.contains { $0.severity == .error } ? nil : value
    }

    /// The words for what to write in place of JSON that is no value of the property; empty where nothing is meant.
    package func hint(for json: JSONValue) -> String {
        if kind == .colour { return Colour.hint(for: json) }
        return json.numberMeant(isShare: name.hasSuffix("opacity")).map { "write \($0)" } ?? ""
    }

    /// The words for what a value is to look like, for people.
    package func expected(of state: LayerState) -> String {
        switch kind {
        case .numbers(1): "a number"
        case .numbers(let count?): "\(count) numbers"
        case .numbers(nil):
            { if case .numbers(let own)? = get(state) { "\(own.count) numbers" } else { "numbers" } }()
        case .colour: "a colour, [r, g, b, a] or \"#rrggbb\""
        case .transform: "six numbers, sixteen, or parts"
        case .path: "SVG path data"
        case .flag: "true or false"
        case .word: "a string"
        case .contents: "the name of an asset, or contents"
        }
    }
}

extension JSONValue {
    /// Whether all numbers in the value are in a range.
    fileprivate func numbersStay(in range: ClosedRange<Double>) -> Bool {
        switch self {
        case .array(let parts): parts.allSatisfy { $0.numbersStay(in: range) }
        case .object(let members): members.values.allSatisfy { $0.numbersStay(in: range) }
        default: double.map { range.contains($0) } ?? true
        }
    }

    /// The numbers of a number, or of a list of numbers or of such lists; nil where anything else is in it.
    fileprivate var flatNumbers: [Double]? {
        if let double { return [double] }
        guard case .array(let parts) = self else { return nil }
        var result: [Double] = []
        for part in parts {
            guard let numbers = part.flatNumbers else { return nil }
            result += numbers
        }
        return result
    }
}
