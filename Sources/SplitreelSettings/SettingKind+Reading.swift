import Diagnostics
import Foundation

/// The folders against which the paths of a file are resolved.
package struct PathBase: Hashable, Sendable {
    /// The file's own folder, absolute.
    package var folder: String
    /// The folder for which `~` stands; nil for none.
    package var home: String?

    package init(folder: String, home: String?) {
        self.folder = folder
        self.home = home
    }

    func path(_ text: String) -> String {
        var path = text
        if let home, text == "~" || text.hasPrefix("~/") { path = home + text.dropFirst() }
        if !path.hasPrefix("/") { path = folder + "/" + path }
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// The endpoint with its path resolved: an ipc endpoint names one too; `ipc://*` is a wildcard.
    func endpoint(_ text: String) -> String {
        let scheme = "ipc://"
        guard text.hasPrefix(scheme), text != scheme + "*" else { return text }
        return scheme + path(String(text.dropFirst(scheme.count)))
    }
}

extension SettingKind {
    /// The setting of a file's value; nil where it does not fit.
    func value(_ value: FileValue, base: PathBase) -> SettingValue? {
        switch (self, value) {
        case (.text, .text(let text)): text.isEmpty ? nil : .text(text)
        case (.endpoint, .text(let text)): Self.isEndpoint(text) ? .text(base.endpoint(text)) : nil
        case (.folder, .text(let text)), (.file, .text(let text)):
            text.isEmpty ? nil : .text(base.path(text))
        case (.place, .text(let text)):
            text.isEmpty ? nil : .text(text.isRemoteName ? text : base.path(text))
        case (.folders, .list(let values)):
            Self.texts(values).map { .list($0.map { $0.isRemoteName ? $0 : base.path($0) }) }
        case (.pairs, .list(let values)): Self.texts(values).map { .list($0) }
        case (.whole(let range), .whole(let number)): range.contains(number) ? .whole(number) : nil
        case (.seconds(let range), .whole(let number)): range.contains(Double(number)) ? .number(Double(number)) : nil
        case (.seconds(let range), .number(let number)): range.contains(number) ? .number(number) : nil
        case (.truth, .truth(let truth)): .truth(truth)
        case (.word(let words), .text(let text)): words.contains(text) ? .text(text) : nil
        default: nil
        }
    }

    /// The setting of a variable's text, which is not empty; nil where it does not fit.
    func value(variable text: String) -> SettingValue? {
        switch self {
        case .text, .folder, .place, .file: .text(text)
        case .endpoint: Self.isEndpoint(text) ? .text(text) : nil
        case .folders: .list(Self.folders(text))
        case .pairs: .list(text.split(separator: ":").map(String.init))
        case .whole(let range): Int(text).flatMap { range.contains($0) ? .whole($0) : nil }
        case .seconds(let range): Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .truth:
            switch text.lowercased() {
            case "1", "true", "yes", "on": .truth(true)
            case "0", "false", "no", "off": .truth(false)
            default: nil
            }
        case .word(let words): words.contains(text) ? .text(text) : nil
        }
    }

    /// The way out for a value that does not fit; empty where there is none.
    func hint(_ value: FileValue, key: String) -> String {
        switch (self, value) {
        case (_, .nothing): "give it a value, or leave the key out"
        case (.folders, .text(let text)), (.pairs, .text(let text)): "write it as a list: \(key): [\(text)]"
        case (.text, .whole), (.text, .number), (.text, .truth): "put it in quotes to make it text"
        default: ""
        }
    }

    /// The folders and addresses of a text with colons between them. The colon of `s3://` and of a port is none of
    /// these.
    private static func folders(_ text: String) -> [String] {
        var folders: [String] = []
        for part in text.split(separator: ":").map(String.init) {
            let before = folders.last ?? ""
            let isRest = ["s3", "https"].contains(before) && part.hasPrefix("//")
            let isPort =
                before.hasPrefix("https://") && !before.dropFirst(8).contains("/")
                && part.prefixMatch(of: /[0-9]+(?:\/|$)/) != nil
            if isRest || isPort { folders[folders.count - 1] += ":" + part } else { folders.append(part) }
        }
        return folders
    }

    private static func isEndpoint(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        return colon.lowerBound > text.startIndex && colon.upperBound < text.endIndex
    }

    private static func texts(_ values: [FileValue]) -> [String]? {
        let texts = values.compactMap { value -> String? in
            guard case .text(let text) = value, !text.isEmpty else { return nil }
            return text
        }
        return texts.count == values.count ? texts : nil
    }
}
