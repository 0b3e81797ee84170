import Diagnostics

/// All that a worker or a client needs to reach a farm with a key of its own: the text of one file.
package struct FarmToken: Sendable {
    package let name: KeyName
    /// The role that the key had when the token was written; the coordinator's own list decides.
    package let role: Role
    /// The endpoint at which others reach the coordinator.
    package let endpoint: String
    /// The farm's public key.
    package let farm: PublicKey
    package let pair: KeyPair

    /// The first word of a token's text, by which a text is told from a path.
    package static let kind = "splitreel-token"

    package init(name: KeyName, role: Role, endpoint: String, farm: PublicKey, pair: KeyPair) {
        self.name = name
        self.role = role
        self.endpoint = endpoint
        self.farm = farm
        self.pair = pair
    }

    /// Reads a token's text; `subject` is its name in errors. Throws `.keyFileUnusable` with the fault, and nothing of
    /// the text.
    package init(text: String, subject: String) throws {
        let file = try KeyFileText(text, kind: Self.kind, subject: subject)
        let values = try file.values(["name", "role", "endpoint", "farm-key", "public-key", "secret-key"])
        func refused(_ word: String) -> SplitreelError { KeyFileText.fault(subject, "its \(word) is none") }
        guard let name = KeyName(values["name"] ?? "") else { throw refused("name") }
        guard let role = Role(rawValue: values["role"] ?? "") else { throw refused("role") }
        guard let farm = PublicKey(values["farm-key"] ?? "") else { throw refused("farm-key") }
        guard let publicKey = PublicKey(values["public-key"] ?? "") else { throw refused("public-key") }
        guard let secretKey = SecretKey(values["secret-key"] ?? "") else { throw refused("secret-key") }
        self.init(
            name: name, role: role, endpoint: values["endpoint"] ?? "", farm: farm,
            pair: KeyPair(publicKey: publicKey, secretKey: secretKey))
    }

    /// The token's file, which holds the secret.
    package var secretText: String {
        """
        \(Self.kind) \(KeyFileText.version)
        # Whoever has this file is \(name) to the farm. `splitreel keys revoke \(name)` ends that.
        name \(name)
        role \(role.rawValue)
        endpoint \(endpoint)
        farm-key \(farm.text)
        public-key \(pair.publicKey.text)
        secret-key \(pair.secretKey.secretText)

        """
    }
}

/// The farm's own pair of keys as the text of a file.
package enum FarmPairText {
    private static let kind = "splitreel-farm"

    /// Reads the pair; `subject` is the file's name in errors. Throws `.keyFileUnusable`.
    package static func pair(_ text: String, subject: String) throws -> KeyPair {
        let values = try KeyFileText(text, kind: kind, subject: subject).values(["public-key", "secret-key"])
        guard let publicKey = PublicKey(values["public-key"] ?? ""),
            let secretKey = SecretKey(values["secret-key"] ?? "")
        else { throw KeyFileText.fault(subject, "a key of it is none") }
        return KeyPair(publicKey: publicKey, secretKey: secretKey)
    }

    /// The text of the file, which holds the secret.
    package static func secretText(_ pair: KeyPair) -> String {
        """
        \(kind) \(KeyFileText.version)
        # The farm's own keys. Whoever has this file can pass for the coordinator.
        public-key \(pair.publicKey.text)
        secret-key \(pair.secretKey.secretText)

        """
    }
}
