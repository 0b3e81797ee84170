/// One thing that can be set: by its name in a file, by its variable in the environment.
package struct SettingKey: Hashable, Sendable {
    package let name: String
    package let kind: SettingKind

    package init(_ name: String, _ kind: SettingKind) {
        self.name = name
        self.kind = kind
    }

    /// The variable's name, such as SPLITREEL_CONNECT; a hyphen is an underscore there.
    package var variable: String { "SPLITREEL_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 }) }
}

/// The kind of value that a setting takes.
package enum SettingKind: Hashable, Sendable {
    case text
    /// An endpoint `tcp://HOST:PORT` or `ipc:///PATH`; only its form is checked here.
    case endpoint
    case folder
    /// A folder's path, or an address of an object store.
    case place
    /// A file's path. Its variable may hold the file's text instead, which nobody may quote.
    case file
    /// A list of folders, separated by colons in the environment.
    case folders
    /// A list of `FROM=TO`, separated by colons in the environment; their form is not checked here.
    case pairs
    case whole(ClosedRange<Int>)
    case seconds(ClosedRange<Double>)
    case truth
    case word([String])

    /// The kind in words that go on from "takes".
    package var expectation: String {
        switch self {
        case .text: "text that is not empty"
        case .endpoint: "an endpoint such as tcp://127.0.0.1:7733 or ipc:///run/splitreel/control"
        case .folder: "a folder's path"
        case .place: "a folder's path, or an address s3://BUCKET/PREFIX"
        case .file: "a file's path"
        case .folders: "a list of folders"
        case .pairs: "a list of FROM=TO"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .seconds(let range): "a number of seconds from \(range.lowerBound) to \(range.upperBound)"
        case .truth: "true or false"
        case .word(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        }
    }
}

package enum SettingValue: Hashable, Sendable {
    case text(String)
    case list([String])
    case whole(Int)
    case number(Double)
    case truth(Bool)
}
