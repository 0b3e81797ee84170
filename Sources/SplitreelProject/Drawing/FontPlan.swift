/// The fonts that a film's texts are set with: files, by their content, so that they look the same wherever a frame is
/// made. No other font counts then.
package struct FontPlan: Sendable, Hashable, Codable {
    /// One face of a file.
    package struct Face: Sendable, Hashable, Codable {
        /// Absolute, on the machine that planned; another machine may have the same file elsewhere.
        package var path: String
        /// In a collection; 0 in other files.
        package var index: Int
        /// SHA-256 of the file, in hexadecimal digits.
        package var sum: String
        /// As the file says it.
        package var family: String
        /// The asset that it is, as recipes name it; nil for a font of the system.
        package var asset: String?

        package init(path: String, index: Int, sum: String, family: String, asset: String? = nil) {
            (self.path, self.index, self.sum, self.family, self.asset) = (path, index, sum, family, asset)
        }
    }

    /// What a name in a text stands for.
    package struct Choice: Sendable, Hashable, Codable {
        /// Of faces.
        package var family: String
        /// What the name says of it; nil where it says nothing.
        package var weight: Int?
        package var isItalic: Bool?

        package init(family: String, weight: Int? = nil, isItalic: Bool? = nil) {
            (self.family, self.weight, self.isItalic) = (family, weight, isItalic)
        }
    }

    /// In the order in which texts needed them, which is the order in which they are looked at for a character.
    package var faces: [Face] = []
    /// By `FontName.key`; what texts without a font, or with none that there is, have: by `defaultKey`.
    package var names: [String: Choice] = [:]

    package init() {}

    package static let defaultKey = "default"

    /// Of which a film's texts can have more than a person would use.
    package static let mostFaces = 64
    package static let mostNames = 256
}

extension FontName {
    package var key: String {
        switch self {
        case .named(let name): "name " + name
        case .asset(let name): "asset " + name
        }
    }
}
