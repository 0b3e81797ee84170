import Diagnostics

extension Container {
    /// The container that a path's extension names; upper and lower case are the same.
    package init(forPath path: String) throws {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let ending = parts.count > 1 ? String(parts[parts.count - 1]).lowercased() : ""
        guard let container = Container(rawValue: ending) else {
            throw SplitreelError(
                .usage, operation: "choosing the container", subject: path,
                reason: ending.isEmpty ? "the name has no extension" : "no container has the extension .\(ending)",
                hint: "end the output's name in " + alternatives(Container.allCases.map { "." + $0.rawValue }))
        }
        self = container
    }

    package func holds(_ codec: VideoCodec) -> Bool {
        switch (self, codec) {
        case (.mp4, .ffv1), (.mp4, .prores): false
        default: true
        }
    }

    package func holds(_ codec: AudioCodec) -> Bool {
        switch (self, codec) {
        case (.mp4, .pcm), (.mp4, .flac), (.mov, .flac), (.mov, .opus): false
        default: true
        }
    }

    var videoCodecs: [VideoCodec] { VideoCodec.allCases.filter(holds) }
    var audioCodecs: [AudioCodec] { AudioCodec.allCases.filter(holds) }
}

/// "a, b or c".
func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
}

func mismatch(_ codec: String, _ container: Container, fits: [String], path: String) -> SplitreelError {
    SplitreelError(
        .codecContainerMismatch, operation: "choosing the codec", subject: path,
        reason: "\(container.rawValue) does not hold \(codec)",
        hint: "\(container.rawValue) takes \(alternatives(fits))")
}

func unknownCodec(_ name: String, option: String, known: [String]) -> SplitreelError {
    SplitreelError(
        .encoderUnavailable, operation: "choosing the codec", subject: "\(option) \(name)",
        reason: "no codec of that name is known",
        hint: (nearestName(to: name, among: known).map { "did you mean ‘\($0)’? Else say " } ?? "say ")
            + alternatives(known))
}

func impossible(_ subject: String, _ reason: String, hint: String = "") -> SplitreelError {
    SplitreelError(
        .settingsImpossible, operation: "choosing the output settings", subject: subject, reason: reason, hint: hint)
}
