/// The fonts that a film's texts are set with: files, by their content, so that they look the same wherever a frame is
/// made. No other font counts then.
package struct FontPlan: Sendable, Hashable, Codable {
    /// One face of a file.
    package struct Face: Sendable, Hashable, Codable {
        /// The absolute path on the machine that planned; another machine may have the same file elsewhere.
        package var path: String
        /// The face's index in a collection; 0 in other files.
        package var index: Int
        /// The SHA-256 of the file, in hexadecimal digits.
        package var sum: String
        /// The family as the file says it.
        package var family: String
        /// The asset that the file is, as recipes name it; nil for a font of the system.
        package var asset: String?

        package init(path: String, index: Int, sum: String, family: String, asset: String? = nil) {
            self.path = path
            self.index = index
            self.sum = sum
            self.family = family
            self.asset = asset
        }
    }

    /// The faces that a name in a text stands for.
    package struct Choice: Sendable, Hashable, Codable {
        /// The family of the faces.
        package var family: String
        /// The weight and the slant that the name says; nil where it says nothing.
        package var weight: Int?
        package var isItalic: Bool?

        package init(family: String, weight: Int? = nil, isItalic: Bool? = nil) {
            self.family = family
            self.weight = weight
            self.isItalic = isItalic
        }
    }

    /// The faces in the order in which texts needed them, which is the order in which they are looked at for a
    /// character.
    package var faces: [Face] = []
    /// The choices by `FontName.key`. Texts without a font, or with none that there is, have the one of `defaultKey`.
    package var names: [String: Choice] = [:]

    package init() {}

    package static let defaultKey = "default"

    /// The most faces and the most names, which are more than a person would use.
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
