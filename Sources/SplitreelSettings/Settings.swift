import Diagnostics

/// The settings by one precedence: a flag, else the environment, else the file; the default is the caller's `??`.
package struct Settings: Sendable {
    private let values: [SettingKey: SettingValue]

    /// The settings without a file and an environment: flags alone count.
    package static let none = Settings(values: [:])

    private init(values: [SettingKey: SettingValue]) { self.values = values }

    /// Checks everything, also settings that are outranked. Throws `.settingsInvalid` with the file's line or the
    /// variable.
    ///
    /// `keys` are those that this reader asks for; `tolerated` ones may stand in the file as well. An empty variable
    /// counts as not set. `reader` is its name in errors, such as "splitreel worker".
    package init(
        file: SettingsFile?, environment: [String: String], keys: [SettingKey], tolerated: [SettingKey] = [],
        reader: String
    ) throws {
        var values: [SettingKey: SettingValue] = [:]
        if let file {
            for entry in file.entries {
                let key = try Self.key(of: entry, in: file, known: keys + tolerated, reader: reader)
                values[key] = try Self.value(of: entry, key: key, in: file)
            }
        }
        for key in keys {
            guard let text = environment[key.variable], !text.isEmpty else { continue }
            guard let value = key.kind.value(variable: text) else {
                throw SplitreelError(
                    .settingsInvalid, operation: "", subject: key.variable,
                    reason: "it holds ‘\(text.prefix(80))’, and takes \(key.kind.expectation)")
            }
            values[key] = value
        }
        self.init(values: values)
    }

    /// The value of a `.text`, `.endpoint`, `.folder`, `.place`, `.file` or `.word`; nil for none. Paths from a file
    /// are absolute, others as they were given.
    package func text(_ key: SettingKey, flag: String? = nil) -> String? {
        if let flag { return flag }
        guard case .text(let text) = values[key] else { return nil }
        return text
    }

    /// The value of `.folders` or `.pairs`. A flag that was not given is an empty list. The first source that says
    /// anything says it all.
    package func list(_ key: SettingKey, flag: [String] = []) -> [String] {
        guard flag.isEmpty, case .list(let list) = values[key] else { return flag }
        return list
    }

    package func whole(_ key: SettingKey, flag: Int? = nil) -> Int? {
        if let flag { return flag }
        guard case .whole(let number) = values[key] else { return nil }
        return number
    }

    package func seconds(_ key: SettingKey, flag: Double? = nil) -> Double? {
        if let flag { return flag }
        guard case .number(let number) = values[key] else { return nil }
        return number
    }

    package func truth(_ key: SettingKey, flag: Bool? = nil) -> Bool? {
        if let flag { return flag }
        guard case .truth(let truth) = values[key] else { return nil }
        return truth
    }

    private static func key(of entry: SettingsFile.Entry, in file: SettingsFile, known: [SettingKey], reader: String)
        throws -> SettingKey
    {
        if let key = known.first(where: { $0.name == entry.key }) { return key }
        let names = Set(known.map(\.name)).sorted()
        let near = nearestName(to: entry.key, among: names).map { "did you mean ‘\($0)’? " } ?? ""
        throw SplitreelError(
            .settingsInvalid, operation: "", subject: "\(file.path):\(entry.line)",
            reason: "\(reader) has no setting ‘\(entry.key.prefix(80))’",
            hint: "\(near)It has " + names.dropLast().joined(separator: ", ") + " and " + (names.last ?? ""))
    }

    private static func value(of entry: SettingsFile.Entry, key: SettingKey, in file: SettingsFile) throws
        -> SettingValue
    {
        if let value = key.kind.value(entry.value, base: file.base) { return value }
        throw SplitreelError(
            .settingsInvalid, operation: "", subject: "\(file.path):\(entry.line): \(key.name)",
            reason: "it holds \(entry.value.words), and takes \(key.kind.expectation)",
            hint: key.kind.hint(entry.value, key: key.name))
    }
}
