// swift-tools-version: 6.2
import PackageDescription

// Measures conversions of colours on one thread; see docs/PERFORMANCE.md. The modules are the program's own, by links,
// and the package has its name, so that what is `package` there is seen here.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "splitreel",
    targets: [
        .target(name: "Pictures", swiftSettings: settings),
        .target(name: "Compositing", dependencies: ["Pictures"], swiftSettings: settings),
        .executableTarget(name: "Light", dependencies: ["Compositing", "Pictures"], swiftSettings: settings),
    ]
)
