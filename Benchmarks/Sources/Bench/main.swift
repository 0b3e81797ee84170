import Foundation

// Bench overhead [--runs N]: see Overhead.
// Bench outputs [--runs N]: see SeveralOutputs.
// Bench soak [--seconds N]: see Soak.
let words = Array(CommandLine.arguments.dropFirst())

func option(_ name: String, _ fallback: Int) -> Int {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return fallback }
    return Int(words[index + 1]) ?? fallback
}

let here = FileManager.default.currentDirectoryPath
let binary = ProcessInfo.processInfo.environment["SPLITREEL"] ?? here + "/.build/release/splitreel"
let folder = NSTemporaryDirectory() + "/splitreel-bench"
do {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Whoever runs this finds nothing new in the cache of their own.
    setenv("XDG_CACHE_HOME", folder + "/cache", 1)
    let fresh = optionsOfFreshRenders(binary)
    let overhead = Overhead(splitreel: binary, folder: folder, runs: option("--runs", 5), fresh: fresh)
    switch words.first {
    case "overhead": try overhead.measure()
    case "outputs": try SeveralOutputs(overhead: overhead).measure()
    case "soak":
        try Soak(splitreel: binary, folder: folder, seconds: option("--seconds", 600), fresh: fresh).measure()
    default: throw BenchError(description: "usage: Bench overhead|outputs [--runs N] | Bench soak [--seconds N]")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
