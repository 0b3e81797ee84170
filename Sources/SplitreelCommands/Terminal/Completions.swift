import ArgumentParser
import Authoring
import Diagnostics
import FarmClient
import Outputs
import Planning
import Reports
import SplitreelProject
import Threads

/// The words that a shell offers for an argument. Lists that a program may extend, or that are long, are asked of the
/// program when somebody presses the key; the others stand in the shell's script.
extension CompletionKind {
    static var composition: CompletionKind { .file(extensions: ["json"]) }
    static var settingsFile: CompletionKind { .file(extensions: ["yaml", "yml"]) }

    static var containers: CompletionKind {
        .list(Container.allCases.filter { $0 != .waveform }.map(\.rawValue))
    }

    static var videoCodecs: CompletionKind { .list(PictureCodec.ofFilms.map(\.rawValue)) }
    static var audioCodecs: CompletionKind { .list(SoundCodec.all.map(\.rawValue) + ["none"]) }
    static var tunes: CompletionKind { asked { unique(PictureCodec.all.flatMap(\.tunes)) } }
    static var encoderPresets: CompletionKind { asked { unique(PictureCodec.all.flatMap(\.presets.known)) } }

    static var profiles: CompletionKind {
        .list(["baseline", "main", "high", "high10", "high422", "high444", "main10"])
    }

    static var pixelFormats: CompletionKind {
        .list([
            "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuva420p", "yuva444p10le",
        ])
    }

    static var frameRates: CompletionKind {
        .list(["24", "25", "30", "50", "60", "23.98", "29.97", "59.94", "film", "pal", "ntsc", "ntsc-film"])
    }

    static var presets: CompletionKind { asked { ExportPreset.all.map(\.name) } }
    static var templates: CompletionKind { asked { Template.all.map(\.name) } }
    static var effects: CompletionKind { asked { unique(EffectRegistry.all.map(\.id)) } }

    static var transitions: CompletionKind {
        asked { unique(EffectRegistry.all.filter { $0.kind == .transition }.map(\.id)) }
    }

    static var errorNumbers: CompletionKind { asked { ErrorCode.table.map { String($0.code.number) } } }

    /// The ids of the jobs of the coordinator that the line names, or of the usual one.
    static var jobs: CompletionKind {
        let answer: @Sendable ([String], Int, String) -> [String] = { words, _, _ in jobIDs(askedBy: words) }
        return .custom(answer)
    }

    private static func asked(_ words: @escaping @Sendable () -> [String]) -> CompletionKind {
        let answer: @Sendable ([String], Int, String) -> [String] = { _, _, _ in words() }
        return .custom(answer)
    }
}

private func unique(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
}

/// The value of an option among a shell's words; nil where it has none. Bash divides words at colons and equals signs,
/// and gives these as words of their own.
private func value(of option: String, in words: [String]) -> String? {
    if let whole = words.first(where: { $0.hasPrefix(option + "=") }) {
        return String(whole.dropFirst(option.count + 1))
    }
    guard let place = words.firstIndex(of: option) else { return nil }
    var rest = words[(place + 1)...]
    if rest.first == "=" { rest = rest.dropFirst() }
    guard var value = rest.popFirst() else { return nil }
    while let next = rest.first, next == ":" || value.hasSuffix(":") {
        value += next
        rest = rest.dropFirst()
    }
    return value
}

/// The seconds that somebody who pressed a key waits at most for a coordinator.
private let patienceOfCompletion = 1

/// Whether a shell may be offered a word that comes from elsewhere: bash runs what stands in `$(…)` of it.
package func isPlainWord(_ word: String) -> Bool { word.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil }

/// The ids of a coordinator's jobs; none where it does not answer: a shell has no place for an error. Blocks the
/// calling thread.
private func jobIDs(askedBy words: [String]) -> [String] {
    let named = ["--connect", "--token", "--config"].flatMap { option -> [String] in
        value(of: option, in: words).map { [option, $0] } ?? []
    }
    let options = named + ["--timeout", String(patienceOfCompletion)]
    guard let client = try? ConnectOptions.parse(options).client() else { return [] }
    defer { client.close() }
    let found = OneShot<[String]>()
    // Unstructured, since whoever completes is no task.
    Task.detached {
        let jobs = (try? await client.jobs()) ?? []
        found.set(jobs.map(\.job).filter(isPlainWord))
    }
    return found.wait(within: .seconds(2 * patienceOfCompletion)) ?? []
}
