import Diagnostics

/// The answer to `--version`: the release and the commit it was built from, then a line for each library that decides
/// how films come out.
package enum VersionText {
    /// - Parameters:
    ///   - commit: the commit's digits; empty where nobody said.
    ///   - libraries: such as `libavcodec 59.37.100`.
    package static func text(commit: String, libraries: [String]) -> String {
        let built = commit.isEmpty ? "" : " (commit \(commit))"
        return (["splitreel \(Release.version)\(built)"] + libraries).joined(separator: "\n")
    }
}
