import Diagnostics
import FarmKeys
import Foundation
import SplitreelFiles

/// The secret text by which coordinators that share a cache know each other's entries.
package enum CacheSecret {
    /// The least characters of a file's text: 32 random ones cannot be guessed.
    private static let leastCharacters = 32

    /// The secret of a file that its owner alone may read: its text, or of a farm's own pair the secret key. Throws
    /// `.keyFileUnusable`; the error names no path that may be the secret itself.
    package static func read(_ path: String) throws -> String {
        guard FileMark(path: path) != nil else {
            throw SecretFile.fault(
                "the file of the cache's key", "there is no such file",
                hint: "make one: (umask 077; openssl rand -hex 32 > cache.key)")
        }
        let text = try SecretFile.read(path)
        if let pair = try? FarmPairText.pair(text, subject: path) { return pair.secretKey.secretText }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard secret.utf8.count >= leastCharacters else {
            throw SecretFile.fault(
                path, "it has fewer than \(leastCharacters) characters", hint: "make one by: openssl rand -hex 32")
        }
        return secret
    }

    /// The secret of the farm whose coordinator has that data folder; nil for one without keys. Throws
    /// `.keyFileUnusable`.
    package static func ofFarm(dataFolder: String) throws -> String? {
        let folder = KeyFolder(dataFolder: dataFolder)
        return folder.exists ? try folder.readPair().secretKey.secretText : nil
    }
}
