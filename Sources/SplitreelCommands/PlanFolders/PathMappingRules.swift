import Diagnostics
package import Foundation
import JSONText
import SplitreelFiles

/// The path mapping rules of a session of Open Job Description, as texts that `PathMaps` reads.
package enum PathMappingRules {
    private static let mostBytes = 1 << 20

    /// Reads a file of rules. One of no rules is `{}`. Rules of Windows' paths are passed over. Throws `.usage` for
    /// other files.
    package static func texts(file: String) throws -> [String] {
        try texts(bytes: RegularFile.contents(of: try absolutePath(file), limit: mostBytes, failure: .usage), of: file)
    }

    /// The texts of the rules in a document.
    package static func texts(bytes: Data, of file: String) throws -> [String] {
        guard let document = try? JSONValue(parsing: bytes), case .object = document else {
            throw wrong(file, "it is no JSON object")
        }
        guard let rules = document["path_mapping_rules"] else { return [] }
        guard case .array(let rules) = rules else { throw wrong(file, "its path_mapping_rules are no list") }
        return try rules.compactMap { rule in
            guard let from = rule["source_path"]?.string, let to = rule["destination_path"]?.string else {
                throw wrong(file, "a rule lacks its source_path or destination_path")
            }
            guard rule["source_path_format"]?.string?.uppercased() != "WINDOWS" else { return nil }
            return "\(from)=\(to)"
        }
    }

    private static func wrong(_ file: String, _ reason: String) -> SplitreelError {
        SplitreelError(
            .usage, operation: "reading path mapping rules", subject: file, reason: reason,
            hint: "name the file of {{Session.PathMappingRulesFile}}, or say --map FROM=TO")
    }
}
