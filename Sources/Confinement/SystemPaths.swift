/// The paths of the system that every confined process may read: nothing of a person's but fonts.
package enum SystemPaths {
    /// Programs' libraries and data: gconv, locales, time zones, fonts and Fontconfig's rules lie there.
    static let shared = [
        "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share",
    ]
    /// Settings of the system's libraries.
    static let settings = ["/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/openssl.cnf"]
    /// The machine's and the process's own facts, nothing, and chance.
    static let facts = [
        "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu",
        "/sys/devices/system/node", "/dev/null", "/dev/urandom",
    ]

    /// The places of a person's own fonts, as Fontconfig's usual rules have them, and of its lists of fonts.
    static func ownFonts(in environment: [String: String]) -> [String] {
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute("HOME")
        func place(_ variable: String, _ usual: String) -> String? {
            absolute(variable) ?? home.map { $0 + "/" + usual }
        }
        let places = [
            home.map { $0 + "/.fonts" }, place("XDG_DATA_HOME", ".local/share").map { $0 + "/fonts" },
            place("XDG_CONFIG_HOME", ".config").map { $0 + "/fontconfig" },
            place("XDG_CACHE_HOME", ".cache").map { $0 + "/fontconfig" }, absolute("FONTCONFIG_FILE"),
            absolute("FONTCONFIG_PATH"),
        ]
        return places.compactMap { $0 }
    }

    /// The folders of libraries that the environment names: some libraries are loaded when they are first needed.
    static func ownLibraries(in environment: [String: String]) -> [String] {
        (environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") && $0 != "/" }
    }

    /// All of them, in the order in which people are shown them. Some may not be there.
    package static func readable(in environment: [String: String]) -> [String] {
        shared + ownLibraries(in: environment) + settings + ["/var/cache/fontconfig"] + ownFonts(in: environment)
            + facts
    }
}
