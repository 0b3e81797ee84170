// swift-tools-version: 6.2
import PackageDescription

// One settings array for every Swift target; each upcoming feature under its evolution number.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .treatAllWarnings(as: .error),  // SE-0480
]

/// For the targets that call C: every step whose memory safety the compiler cannot prove says `unsafe`.
let strict: [SwiftSetting] = settings + [.strictMemorySafety()]  // SE-0458

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = settings) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: name == "GoldenTests" ? ["Cases"] : [], swiftSettings: settings
    )
}

let package = Package(
    name: "splitreel",
    products: [
        .executable(name: "splitreel", targets: ["splitreel"]),
        .library(name: "Splitreel", targets: ["Splitreel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // L0: C libraries
        .systemLibrary(name: "CASS", pkgConfig: "libass"),
        .systemLibrary(name: "CCrypto"),
        .systemLibrary(name: "CFFmpeg"),
        .systemLibrary(name: "CHeif"),
        .systemLibrary(name: "CPango", pkgConfig: "pangocairo"),
        .systemLibrary(name: "CVMAF"),
        .systemLibrary(name: "CWebP"),
        .systemLibrary(name: "CZeroMQ"),

        // L1: pure values
        module("Diagnostics"),
        module("Hashing", ["CCrypto"], strict),
        module("MediaTime"),
        module("Pictures"),
        module("Composition", ["Diagnostics", "MediaTime", "Pictures"]),
        module("Planning", ["Composition", "Diagnostics", "Hashing", "MediaTime", "Pictures"]),
        module("Scheduling", ["Diagnostics", "MediaTime"]),
        module("FarmProtocol", ["Diagnostics", "Scheduling", protobuf]),

        // L2: adapters and compute
        module("Threads", ["Diagnostics"], strict),
        module("Files", ["Diagnostics", "Hashing"]),
        module(
            "Media",
            [
                "AudioMixing", "CFFmpeg", "CHeif", "CVMAF", "CWebP", "Compositing", "Composition", "Diagnostics",
                "Files", "Hashing", "MediaTime", "Pictures", "Planning",
            ],
            strict),
        module("Transport", ["CZeroMQ", "Diagnostics", "Threads"], strict),
        module("JobStore", ["Diagnostics", "Scheduling", grdb]),
        module("Settings", ["Diagnostics", yams]),
        module("Compositing", ["Pictures"]),
        module("Effects", ["Composition", "MediaTime", "Pictures"]),
        module("Overlays", ["CASS", "CPango", "Composition", "Diagnostics", "MediaTime", "Pictures"], strict),
        module("AudioMixing", ["Composition", "MediaTime"]),

        // L3: services
        module(
            "Rendering",
            [
                "AudioMixing", "Compositing", "Composition", "Diagnostics", "Effects", "Files", "Media", "MediaTime",
                "Overlays", "Pictures", "Planning", "Threads",
            ]),
        module(
            "Preparation",
            [
                "Composition", "Diagnostics", "Files", "Hashing", "Media", "MediaTime", "Overlays", "Pictures",
                "Planning", "Threads",
            ]),
        module(
            "Stitching",
            ["Composition", "Diagnostics", "Files", "Hashing", "Media", "MediaTime", "Pictures", "Planning"]),
        module(
            "Isolation",
            [
                "Composition", "Diagnostics", "Media", "MediaTime", "Planning", "Preparation", "Stitching", "Threads",
                "Transport",
            ]),
        module(
            "Coordinator",
            [
                "Composition", "Diagnostics", "FarmProtocol", "Files", "Hashing", "Isolation", "JobStore", "MediaTime",
                "Planning", "Preparation", "Scheduling", "Stitching", "Threads", "Transport", logging,
            ]),
        module("FarmClient", ["Diagnostics", "FarmProtocol", "Hashing", "Threads", "Transport"]),
        module(
            "Worker",
            [
                "Composition", "Diagnostics", "FarmProtocol", "Files", "Hashing", "Planning", "Rendering",
                "Scheduling", "Threads", "Transport", logging,
            ], strict),

        // L4: edge
        module(
            "SplitreelCommands",
            [
                "Composition", "Coordinator", "Diagnostics", "FarmClient", "FarmProtocol", "Files", "Isolation",
                "Media", "MediaTime", "Pictures", "Planning", "Preparation", "Rendering", "Scheduling", "Settings",
                "Stitching", "Threads", "Transport", "Worker", argumentParser, logging,
            ]),
        .executableTarget(name: "splitreel", dependencies: ["SplitreelCommands"], swiftSettings: settings),
        module(
            "Splitreel",
            [
                "AudioMixing", "Composition", "Diagnostics", "Effects", "Media", "MediaTime", "Pictures", "Planning",
                "Preparation", "Rendering", "SplitreelCommands", "Threads",
            ]),

        // side
        // Examples/CustomCompositor has a manifest of its own; here it shares this package's build, and its tests.
        .executableTarget(
            name: "CustomCompositor", dependencies: ["Splitreel"], path: "Examples/CustomCompositor/Sources",
            swiftSettings: settings),
        module("TestSupport"),
        module("Simulation", ["Diagnostics", "Scheduling", "TestSupport"]),

        // tests
        tests("AudioMixingTests", ["AudioMixing", "Composition", "MediaTime"]),
        tests(
            "CommandsTests",
            [
                "Diagnostics", "FarmClient", "FarmProtocol", "Media", "MediaTime", "Scheduling", "Settings",
                "SplitreelCommands", "TestSupport", logging,
            ]),
        tests("CompositingTests", ["Compositing", "Composition", "Pictures", "TestSupport"]),
        tests("CompositionTests", ["Composition", "Diagnostics", "MediaTime", "Pictures", "TestSupport"]),
        tests(
            "CoordinatorTests",
            [
                "Composition", "Coordinator", "Diagnostics", "FarmProtocol", "Hashing", "Isolation", "JobStore",
                "MediaTime", "Pictures", "Planning", "Scheduling", "Threads", "Transport", logging,
            ]),
        tests("DiagnosticsTests", ["Diagnostics"]),
        tests("EffectsTests", ["Composition", "Effects", "MediaTime", "Pictures", "TestSupport"]),
        tests(
            "EncodingTests",
            ["Compositing", "Composition", "Diagnostics", "Media", "MediaTime", "Pictures", "Planning"]),
        tests("EndToEndTests", ["FarmProtocol", "TestSupport", protobuf]),
        tests("FarmClientTests", ["Diagnostics", "FarmClient", "FarmProtocol", "Threads", "Transport"]),
        tests("FarmProtocolTests", ["Diagnostics", "FarmProtocol", "Scheduling"]),
        tests("FilesTests", ["Diagnostics", "Files", "TestSupport"]),
        tests(
            "GoldenTests",
            [
                "Compositing", "Composition", "Media", "MediaTime", "Pictures", "Planning", "Preparation", "Rendering",
                "TestSupport",
            ]
        ),
        tests(
            "IsolationTests",
            ["Composition", "Diagnostics", "Isolation", "Media", "MediaTime", "Planning", "TestSupport", "Threads"]),
        tests("HashingTests", ["Hashing"]),
        tests("JobStoreTests", ["Diagnostics", "JobStore", "Scheduling"]),
        tests(
            "MediaTests",
            [
                "Compositing", "Composition", "Diagnostics", "Hashing", "Media", "MediaTime", "Pictures", "Planning",
                "TestSupport",
            ]),
        tests("MediaTimeTests", ["MediaTime", "TestSupport"]),
        tests("OverlaysTests", ["Composition", "Diagnostics", "Overlays", "Pictures", "TestSupport"]),
        tests("PlanningTests", ["Composition", "Diagnostics", "MediaTime", "Pictures", "Planning", "TestSupport"]),
        tests(
            "PreparationTests",
            [
                "Composition", "Diagnostics", "MediaTime", "Pictures", "Planning", "Preparation", "TestSupport",
                "Threads",
            ]),
        tests(
            "RenderingTests",
            [
                "Compositing", "Composition", "Diagnostics", "Media", "MediaTime", "Pictures", "Planning",
                "Preparation", "Rendering", "TestSupport",
            ]),
        tests("SchedulingTests", ["Diagnostics", "Scheduling", "Simulation", "TestSupport"]),
        tests("SimulationTests", ["Diagnostics", "Scheduling", "Simulation", "TestSupport"]),
        tests(
            "SplitreelTests",
            [
                "Composition", "Diagnostics", "Media", "MediaTime", "Pictures", "Planning", "Preparation", "Rendering",
                "Splitreel", "TestSupport", "Threads",
            ]),
        tests(
            "StitchingTests",
            [
                "Compositing", "Composition", "Diagnostics", "Hashing", "Media", "MediaTime", "Pictures", "Planning",
                "Stitching",
            ]),
        tests("ThreadsTests", ["Diagnostics", "Threads"]),
        tests("TidyTests", []),
        tests("TransportTests", ["Diagnostics", "Threads", "Transport"]),
        tests(
            "WorkerTests",
            [
                "Composition", "Diagnostics", "FarmProtocol", "MediaTime", "Pictures", "Planning", "Rendering",
                "Scheduling", "Threads", "Transport", "Worker", logging,
            ]),
    ]
)
