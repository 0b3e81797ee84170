// swift-tools-version: 6.2
import PackageDescription

// Measures effects, transitions and blend modes on one thread; see docs/internals/performance.md.
// The modules are the program's own, by links. The package has its name, so that what is `package` there is seen here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "splitreel",
    targets: [
        .target(name: "Diagnostics", swiftSettings: settings),
        .target(name: "MediaTime", swiftSettings: settings),
        .target(name: "ExactMath", swiftSettings: settings),
        .target(name: "Pictures", dependencies: ["ExactMath"], swiftSettings: settings),
        .target(name: "JSONText", dependencies: ["Diagnostics", "MediaTime"], swiftSettings: settings),
        .target(
            name: "MediaFacts", dependencies: ["Diagnostics", "JSONText", "MediaTime", "Pictures"],
            swiftSettings: settings),
        .target(
            name: "SplitreelProject",
            dependencies: ["Diagnostics", "ExactMath", "JSONText", "MediaFacts", "MediaTime", "Pictures"],
            swiftSettings: settings),
        .target(
            name: "SplitreelTimeline",
            dependencies: [
                "Diagnostics", "ExactMath", "JSONText", "MediaFacts", "MediaTime", "Pictures", "SplitreelProject",
            ],
            swiftSettings: settings),
        .target(
            name: "Effects",
            dependencies: [
                "ExactMath", "MediaFacts", "MediaTime", "Pictures", "SplitreelProject", "SplitreelTimeline",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "EffectBench",
            dependencies: [
                "Diagnostics", "Effects", "JSONText", "MediaFacts", "MediaTime", "Pictures", "SplitreelProject",
            ],
            swiftSettings: settings),
    ]
)
