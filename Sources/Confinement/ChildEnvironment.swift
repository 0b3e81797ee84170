/// The part of this process's environment that a reader of media has: what its libraries go by, and nothing that may be
/// a secret. A file that took the reader over could tell the rest in its answer.
package enum ChildEnvironment {
    private static let names: Set = [
        "GCONV_PATH", "HOME", "LANG", "LANGUAGE", "LOCPATH", "LOGNAME", "PATH", "SPLITREEL_LOG", "SVT_LOG", "TMPDIR",
        "TZ", "TZDIR", "USER",
    ]
    /// The beginnings of names by which families of settings are known: of the loader, the allocator, the runtimes,
    /// the sanitizers, the fonts.
    private static let beginnings = [
        "ASAN_", "FC_", "FONTCONFIG_", "FREETYPE_", "GLIBC_", "LC_", "LD_", "LSAN_", "MALLOC_", "OMP_", "OPENSSL_",
        "PANGO_", "SWIFT_", "TSAN_", "UBSAN_", "XDG_",
    ]

    /// The variables that are passed on, each as `NAME=value`, by their names' order.
    package static func kept(of environment: [String: String]) -> [String] {
        environment.filter { name, _ in names.contains(name) || beginnings.contains { name.hasPrefix($0) } }
            .map { "\($0)=\($1)" }.sorted()
    }
}
