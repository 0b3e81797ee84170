// swift-tools-version: 6.2
import PackageDescription

// Measures the built `splitreel` from outside, as whole processes; see docs/internals/performance.md.
let package = Package(
    name: "Benchmarks",
    targets: [.executableTarget(name: "Bench")]
)
