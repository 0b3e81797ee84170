import Diagnostics
package import JSONText
package import MediaTime
import Pictures

/// The parameters of one effect as a file has them, read by its description: numbers as keys in exact time, all others
/// as values that nothing moves.
package struct EffectParameters: Sendable {
    package private(set) var keyed: [String: KeyTrack<NumberList>] = [:]
    package private(set) var fixed: [String: EffectValue] = [:]
    /// The assets and tracks whose pictures are inputs, by the parameter's name.
    package private(set) var pictures: [String: String] = [:]
    package private(set) var tracks: [String: Int] = [:]
    /// The assets and audio tracks whose sound is looked at, by the parameter's name.
    package private(set) var sounds: [String: String] = [:]
    package private(set) var audioTracks: [String: [Int]] = [:]
    /// The video tracks whose frames are needed; nil for all.
    package private(set) var requiredTracks: [Int]?
    /// The keys as they were written, by the parameter's name, for what only a list of them tells.
    package private(set) var written: [String: [Key<NumberList>]] = [:]
    /// The ranges of the parameters in `keyed`, by their names.
    package private(set) var ranges: [String: ClosedRange<Double>] = [:]

    /// Reads parameters. One that cannot be read has its default, with the problem noted at the parameter's place.
    package init(
        _ params: JSONValue?, of description: EffectDescription, _ path: String, problems: inout [Problem]
    ) {
        var members: [String: JSONValue] = [:]
        switch params {
        case nil, .null?: break
        case .object(let object)?: members = object
        case let other?:
            problems.append(.error(.parameterWrong, path, "expected an object, found \(other.kindName)"))
        }
        for parameter in description.parameters {
            read(members, parameter, "\(path).\(parameter.name)", &problems)
        }
        let known = description.parameters.map(\.name)
        for name in members.keys.sorted() where !known.contains(name) && !isFreeKey(name) {
            problems.append(
                .error(
                    .parameterWrong, "\(path).\(name.prefix(60))", "`\(description.id)` has no parameter of that name",
                    hint: keyMeant(by: name, among: known).map { "did you mean `\($0)`?" }
                        ?? (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")))
        }
    }

    private mutating func read(
        _ members: [String: JSONValue], _ parameter: EffectParameter, _ path: String, _ problems: inout [Problem]
    ) {
        fixed[parameter.name] = parameter.kind.fallback
        let other = parameter.alternative.flatMap { members.keys.contains($0) ? $0 : nil }
        guard let json = members[parameter.name] else {
            if other == nil, let missing = parameter.kind.missing {
                problems.append(.error(.parameterWrong, path, missing + " is missing"))
            }
            return
        }
        do throws(ParameterFault) {
            if let other { throw ParameterFault("`\(other)` says it already", hint: "say one of the two") }
            try take(json, as: parameter, path, &problems)
        } catch {
            problems.append(.error(.parameterWrong, path, error.message, hint: error.hint))
        }
    }

    /// Takes a value that the file says. Keys note their own problems, each at its own place.
    private mutating func take(
        _ json: JSONValue, as parameter: EffectParameter, _ path: String, _ problems: inout [Problem]
    ) throws(ParameterFault) {
        let name = parameter.name
        switch parameter.kind {
        case .numbers(let range, let fallback):
            if parameter.isFixed, Self.plainValue(json) == nil {
                throw ParameterFault(
                    "expected one number from \(range.words): no keys move it", hint: Self.numberHint(json, parameter))
            }
            if let meant = Self.numberMeant(json, parameter), fallback.count == 1 {
                throw ParameterFault("expected a number from \(range.words), found a string", hint: "write \(meant)")
            }
            readKeys(json, name, path, count: fallback.count, range, &problems)
        case .colour:
            let numbers = json.spellingOutColours()
            readKeys(numbers, name, path, count: 4, 0...1, hint: Colour.hint(for: json), &problems)
        case .table(let width, let range, let least):
            guard let values = Self.table(json, width: width, range: range), values.count >= least * width,
                values.count <= 1024 * width
            else {
                throw ParameterFault(
                    "expected a list of \(least) to 1024 points of \(width) numbers from \(range.words)",
                    hint: "such as [[0, 0], [1, 1]]")
            }
            fixed[name] = .numbers(values)
        case .word(let words, _):
            guard let word = words.first(where: { json == .string($0) || json == Int64($0).map(JSONValue.integer) })
            else { throw ParameterFault("expected one of: \(words.joined(separator: ", "))") }
            fixed[name] = .word(word)
        case .flag:
            guard case .bool(let flag) = json else {
                throw ParameterFault("expected true or false, found \(json.kindName)")
            }
            fixed[name] = .flag(flag)
        case .picture: pictures[name] = try Self.assetName(json)
        case .file: fixed[name] = .file(try Self.assetName(json))
        case .sound: sounds[name] = try Self.assetName(json)
        case .track: tracks[name] = try Self.trackID(json)
        case .audioTrack: audioTracks[name] = [try Self.trackID(json)]
        case .audioTracks: audioTracks[name] = try Self.trackIDs(json)
        case .value: fixed[name] = .json(json)
        case .requiredTracks:
            let ids = json == .array([]) ? [] : try Self.trackIDs(json)
            requiredTracks = ids
            fixed[name] = .numbers(ids.map(Double.init))
        }
    }

    private static func assetName(_ json: JSONValue) throws(ParameterFault) -> String {
        guard let name = json.string else {
            throw ParameterFault("expected an asset's name, found \(json.kindName)")
        }
        return name
    }

    private static func trackID(_ json: JSONValue) throws(ParameterFault) -> Int {
        guard case .integer(let id) = json else {
            throw ParameterFault("expected a track's id, found \(json.kindName)")
        }
        return Int(id)
    }

    private static func trackIDs(_ json: JSONValue) throws(ParameterFault) -> [Int] {
        var ids: [Int] = []
        if case .array(let list) = json { for id in list { ids.append(try trackID(id)) } }
        guard (1...64).contains(ids.count), Set(ids).count == ids.count else {
            throw ParameterFault("expected a list of 1 to 64 ids of tracks, each once", hint: "such as [2, 3]")
        }
        return ids
    }

    /// Reads a value or its keys; a value alone is meant from the start on.
    private mutating func readKeys(
        _ json: JSONValue, _ name: String, _ path: String, count: Int, _ range: ClosedRange<Double>,
        hint: String? = nil, _ problems: inout [Problem]
    ) {
        func wrong(_ message: String, hint: String = "") {
            problems.append(.error(.parameterWrong, path, message, hint: hint))
        }
        func isRight(_ list: NumberList?) -> Bool {
            guard let list else { return true }
            return list.values.count == count && list.values.allSatisfy { range.contains($0) }
        }
        let expected = count == 1 ? "a number from \(range.words)" : "\(count) numbers from \(range.words)"
        var reader = ProjectReader()
        if let value = Self.plainValue(json) {
            guard isRight(value) else {
                return wrong(
                    "expected \(expected)",
                    hint: hint ?? json.shareMeant(in: range) ?? "`splitreel effects ID` tells what is usual")
            }
            fixed[name] = .numbers(value.values)
            return
        }
        guard case .array(let elements) = json, elements.contains(where: Self.isObject) else {
            return wrong("expected \(expected), or a list of keys of such", hint: hint ?? "")
        }
        let keys = [Key<NumberList>].read(json, &reader)
        problems += reader.problems.map { found in
            var problem = found
            problem.path = path + found.path
            return problem
        }
        guard let keys, !reader.problems.contains(where: { $0.severity == .error }) else { return }
        for (index, key) in keys.enumerated() {
            for (part, value) in [("value", key.value), ("from", key.from), ("to", key.to)] where !isRight(value) {
                let place = "\(path)[\(index)].\(part)"
                return problems.append(.error(.parameterWrong, place, "expected \(expected) in each key"))
            }
        }
        written[name] = keys
        keyed[name] = KeyTrack(keys)
        ranges[name] = range
    }

    private static func numberMeant(_ json: JSONValue, _ parameter: EffectParameter) -> String? {
        json.numberMeant(isOfSeconds: parameter.unit == .seconds, isShare: parameter.kind.isShare)
    }

    private static func numberHint(_ json: JSONValue, _ parameter: EffectParameter) -> String {
        numberMeant(json, parameter).map { "write \($0)" } ?? ""
    }

    private static func isObject(_ json: JSONValue) -> Bool { if case .object = json { true } else { false } }

    private static func plainValue(_ json: JSONValue) -> NumberList? {
        if let number = json.double { return NumberList([number]) }
        guard case .array(let elements) = json, !elements.isEmpty else { return nil }
        let values = elements.compactMap(\.double)
        return values.count == elements.count ? NumberList(values) : nil
    }

    private static func table(_ json: JSONValue, width: Int, range: ClosedRange<Double>) -> [Double]? {
        guard case .array(let rows) = json else { return nil }
        var values: [Double] = []
        for row in rows {
            guard case .array(let elements) = row, elements.count == width else { return nil }
            for element in elements {
                guard let value = element.double, range.contains(value) else { return nil }
                values.append(value)
            }
        }
        return values
    }

    /// Every parameter's value at an exact time; before its first key a parameter has its default. An easing that
    /// overshoots ends at the parameter's range.
    package func values(at time: Rational) -> [String: EffectValue] {
        var result = fixed
        for (name, track) in keyed {
            guard let list = track.value(at: time) else { continue }
            result[name] = .numbers(list.values.map { ranges[name]?.nearest(to: $0) ?? $0 })
        }
        return result
    }

    package func isConstant(from start: Rational, to end: Rational) -> Bool {
        keyed.values.allSatisfy { $0.isConstant(from: start, to: end) }
    }
}

/// The reason why the value of a parameter is not one for it.
private struct ParameterFault: Error {
    let message: String
    let hint: String

    init(_ message: String, hint: String = "") {
        self.message = message
        self.hint = hint
    }
}

extension JSONValue {
    /// The hint for a number of per cent where a range holds parts of 1; nil for others.
    fileprivate func shareMeant(in range: ClosedRange<Double>) -> String? {
        guard range == 0...1, let number = double, number > 1, number <= 100 else { return nil }
        return "write \(JSONValue(number / 100).shortText)"
    }
}

extension EffectParameter.Kind {
    /// Whether it is a part of 1.
    fileprivate var isShare: Bool { if case .numbers(let range, _) = self { range == 0...1 } else { false } }

    /// The value of a parameter that the file does not say; nil where it has none then.
    fileprivate var fallback: EffectValue? {
        switch self {
        case .numbers(_, let fallback), .colour(let fallback): .numbers(fallback)
        case .table, .requiredTracks: .numbers([])
        case .value: .json(.null)
        case .word(_, let fallback): .word(fallback)
        case .flag(let fallback): .flag(fallback)
        case .picture, .track, .file, .sound, .audioTrack, .audioTracks: nil
        }
    }

    /// The thing that is missing where the file does not say the parameter; nil where it need not.
    fileprivate var missing: String? {
        switch self {
        case .picture(isRequired: true), .file: "the name of an asset"
        case .track(isRequired: true): "the id of a video track"
        case .sound: "the name of an asset with sound"
        case .audioTrack: "the id of an audio track"
        case .picture, .track, .audioTracks, .numbers, .colour, .table, .word, .flag, .value, .requiredTracks: nil
        }
    }
}

extension ClosedRange<Double> {
    /// The number of the range that is nearest to `value`; the lower bound for NaN.
    fileprivate func nearest(to value: Double) -> Double {
        value >= lowerBound ? Swift.min(value, upperBound) : lowerBound
    }

    package var words: String {
        func text(_ value: Double) -> String { String(decoding: JSONValue(value).canonicalBytes(), as: UTF8.self) }
        return "\(text(lowerBound)) to \(text(upperBound))"
    }
}
