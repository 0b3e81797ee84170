// swift-tools-version: 6.2
import PackageDescription

// Measures effects, transitions and blend modes on one thread; see docs/PERFORMANCE.md. The modules are the program's
// own, by links, and the package has its name, so that what is `package` there is seen here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "splitreel",
    targets: [
        .target(name: "Diagnostics", swiftSettings: settings),
        .target(name: "MediaTime", swiftSettings: settings),
        .target(name: "Pictures", swiftSettings: settings),
        .target(name: "Composition", dependencies: ["Diagnostics", "MediaTime", "Pictures"], swiftSettings: settings),
        .target(name: "Effects", dependencies: ["Composition", "MediaTime", "Pictures"], swiftSettings: settings),
        .executableTarget(
            name: "EffectBench", dependencies: ["Composition", "Effects", "MediaTime", "Pictures"],
            swiftSettings: settings),
    ]
)
