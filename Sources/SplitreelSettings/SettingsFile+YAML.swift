import Diagnostics
import Yams

extension SettingsFile {
    /// The keys and values of a YAML text; none where it holds only comments.
    static func entries(yaml: String, path: String) throws -> [Entry] {
        do {
            guard let root = try Parser(yaml: yaml).singleRoot() else { return [] }
            if case .nothing = FileValue(root) { return [] }
            guard let mapping = root.mapping else {
                throw fault(path, root.mark?.line, "it holds \(FileValue(root).words) where `key: value` is expected")
            }
            return try mapping.map { key, value in
                guard case .scalar(let scalar) = key else {
                    throw fault(path, key.mark?.line, "a key is \(FileValue(key).words) where a name is expected")
                }
                return Entry(key: scalar.string, value: FileValue(value), line: key.mark?.line ?? 1)
            }
        } catch let error as YamlError {
            throw fault(error, path: path)
        }
    }

    private static func fault(_ error: YamlError, path: String) -> SplitreelError {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            return fault(
                path, mark.line, "not YAML: " + words(context, problem),
                hint: "indent with spaces, put one after each colon, quote what is not plain")
        case .composer(let context, let problem, let mark, _):
            return fault(path, mark.line, "not YAML: " + words(context, problem))
        case .reader(let problem, let offset, _, let yaml):
            let line = offset.map { 1 + yaml.prefix($0).count(where: \.isNewline) }
            return fault(path, line, "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            return fault(
                path, context.mark.line, "‘\(names.first ?? "")’ stands there twice", hint: "leave one of them")
        case .memory: return fault(path, nil, "not YAML: nested too deeply")
        default: return fault(path, nil, "not YAML: \(error)")
        }
    }

    private static func words(_ context: YamlError.Context?, _ problem: String) -> String {
        (context.map { $0.text + " " } ?? "") + problem
    }

    private static func fault(_ path: String, _ line: Int?, _ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(
            .settingsInvalid, operation: "", subject: line.map { "\(path):\($0)" } ?? path, reason: reason, hint: hint)
    }
}

extension FileValue {
    fileprivate init(_ node: Node) {
        switch node {
        case .scalar(let scalar): self.init(scalar, tag: node.tag.rawValue)
        case .sequence(let nodes): self = .list(nodes.map(FileValue.init(item:)))
        case .mapping, .alias: self = .mapping
        }
    }

    /// An element of a list. Lists in lists are not followed: no setting takes one, and aliases can make a small text a
    /// huge tree.
    private init(item node: Node) {
        switch node {
        case .scalar(let scalar): self.init(scalar, tag: node.tag.rawValue)
        case .sequence: self = .list([])
        case .mapping, .alias: self = .mapping
        }
    }

    private init(_ scalar: Node.Scalar, tag: String) {
        let text = scalar.string
        switch Tag.Name(rawValue: tag) {
        case .null: self = .nothing
        case .bool: self = Bool.construct(from: scalar).map(FileValue.truth) ?? .text(text)
        case .int: self = Int.construct(from: scalar).map(FileValue.whole) ?? .text(text)
        case .float: self = Double.construct(from: scalar).map(FileValue.number) ?? .text(text)
        default: self = .text(text)
        }
    }
}
