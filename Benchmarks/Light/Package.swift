// swift-tools-version: 6.2
import PackageDescription

// Measures conversions of colours on one thread; see docs/internals/performance.md.
// The modules are the program's own, by links. The package has its name, so that what is `package` there is seen here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "splitreel",
    targets: [
        .target(name: "ExactMath", swiftSettings: settings),
        .target(name: "Pictures", dependencies: ["ExactMath"], swiftSettings: settings),
        .target(name: "Compositing", dependencies: ["ExactMath", "Pictures"], swiftSettings: settings),
        .executableTarget(name: "Light", dependencies: ["Compositing", "Pictures"], swiftSettings: settings),
    ]
)
