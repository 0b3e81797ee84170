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

/// What most test targets need: the values, and what draws and sums them.
let values: [Target.Dependency] = [
    "Diagnostics", "Drawings", "Hashing", "JSONText", "MediaFacts", "MediaTime", "Outputs", "Pictures",
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = settings) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests that go through pictures and samples themselves. The others are compiled without optimisation, in half the
/// time; no product has a test target in it, so a program that links one meets no unsafe flag.
let optimisedTests: Set = [
    "AudioMixingTests", "CompositingTests", "EffectsTests", "EncodingTests", "GoldenTests", "InvarianceTests",
    "MediaTests", "OverlaysTests", "RenderingTests", "StitchingTests",
]

/// - Parameter isOutside: whether they see no more of the library than another package would: the compiler says so.
func tests(_ name: String, _ dependencies: [Target.Dependency], isOutside: Bool = false) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: name == "GoldenTests" ? ["Cases"] : [],
        packageAccess: !isOutside,
        swiftSettings: optimisedTests.contains(name) ? settings : settings + [.unsafeFlags(["-Onone"])])
}

/// What tests have in common; its sources are below Tests.
func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "splitreel",
    products: [
        .executable(name: "splitreel", targets: ["splitreel"]),
        .library(name: "Splitreel", targets: ["Splitreel"]),
        // The whole command line, for a program that is to be `splitreel` with compositors of its own.
        .library(name: "SplitreelCLI", targets: ["SplitreelCLI"]),
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
        .target(name: "CCommit"),
        .target(name: "CConfinement"),
        .systemLibrary(name: "CCrypto"),
        .systemLibrary(name: "CCurl"),
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
        module("ExactMath"),
        module("CodedVideo"),
        module("Pictures", ["ExactMath"]),
        module("JSONText", ["Diagnostics", "MediaTime"]),
        module("MediaFacts", ["Diagnostics", "JSONText", "MediaTime", "Pictures"]),
        module("Outputs", ["Diagnostics", "Hashing", "JSONText", "MediaFacts", "MediaTime", "Pictures"]),
        module("SplitreelProject", ["Diagnostics", "ExactMath", "JSONText", "MediaFacts", "MediaTime", "Pictures"]),
        module(
            "Drawings", ["Diagnostics", "ExactMath", "JSONText", "MediaTime", "Pictures", "SplitreelProject"]),
        module(
            "SplitreelTimeline",
            [
                "Diagnostics", "Drawings", "ExactMath", "JSONText", "MediaFacts", "MediaTime", "Pictures",
                "SplitreelProject",
            ]),
        module(
            "Validation",
            [
                "Diagnostics", "Drawings", "JSONText", "MediaFacts", "MediaTime", "Outputs", "Pictures",
                "SplitreelProject", "SplitreelTimeline",
            ]),
        module(
            "Authoring",
            [
                "Diagnostics", "ExactMath", "JSONText", "MediaFacts", "MediaTime", "Pictures", "SplitreelProject",
                "SplitreelTimeline",
            ]),
        module(
            "Planning",
            [
                "Diagnostics", "Drawings", "ExactMath", "Hashing", "JSONText", "MediaFacts", "MediaTime", "Outputs",
                "Pictures", "SplitreelProject", "SplitreelTimeline", "Validation",
            ]),
        module("Scheduling", ["Diagnostics", "Hashing", "MediaTime"]),
        module("FarmKeys", ["Diagnostics"]),
        module("DataPlane", ["Diagnostics", "Hashing", "Scheduling"]),
        module("FarmProtocol", ["DataPlane", "Diagnostics", "FarmKeys", "Scheduling", protobuf]),

        // L2: adapters and compute
        module("Threads", ["Diagnostics"], strict),
        module("SplitreelFiles", ["Diagnostics", "Hashing"]),
        module("KeyFiles", ["Diagnostics", "FarmKeys", "SplitreelFiles"]),
        module("Confinement", ["CConfinement", "Diagnostics"], strict),
        module("SourceBlocks", ["Confinement", "Diagnostics", "Hashing", "SplitreelFiles", "Threads"]),
        module("ObjectStorage", ["CCurl", "Diagnostics", "Hashing", "SplitreelFiles", "Threads"], strict),
        module("SegmentCache", ["Diagnostics", "Hashing", "JSONText", "ObjectStorage", "SplitreelFiles", "Threads"]),
        module(
            "RemoteMedia", ["Diagnostics", "Hashing", "ObjectStorage", "SourceBlocks", "SplitreelFiles", "Threads"]),
        module(
            "Libav",
            [
                "CFFmpeg", "CHeif", "CWebP", "CodedVideo", "Diagnostics", "MediaTime", "Outputs", "Pictures",
                "SplitreelFiles",
            ], strict),
        module(
            "MediaReading",
            [
                "CFFmpeg", "CHeif", "CWebP", "CodedVideo", "Diagnostics", "Hashing", "Libav", "MediaFacts", "MediaTime",
                "Outputs", "Pictures", "SplitreelFiles",
            ], strict),
        module("Measuring", ["CVMAF", "Pictures"], strict),
        module(
            "MediaWriting",
            [
                "CFFmpeg", "CodedVideo", "Diagnostics", "ExactMath", "Hashing", "Libav", "MediaFacts", "MediaReading",
                "MediaTime", "Outputs", "Pictures", "SplitreelFiles",
            ], strict),
        module("Transport", ["CZeroMQ", "Diagnostics", "FarmKeys", "Threads"], strict),
        module("JobStore", ["Diagnostics", "Hashing", "Scheduling", grdb]),
        module("SplitreelSettings", ["Diagnostics", yams]),
        module("Compositing", ["ExactMath", "Pictures"]),
        module(
            "Effects",
            ["ExactMath", "MediaFacts", "MediaTime", "Pictures", "SplitreelProject", "SplitreelTimeline"]),
        module(
            "Overlays",
            [
                "CASS", "CPango", "Diagnostics", "Drawings", "ExactMath", "MediaFacts", "MediaTime", "Pictures",
                "SplitreelProject", "SplitreelTimeline",
            ], strict),
        module("AudioMixing", ["ExactMath", "MediaFacts", "MediaTime", "SplitreelProject", "SplitreelTimeline"]),

        // L3: services
        module(
            "Rendering",
            [
                "AudioMixing", "Compositing", "Diagnostics", "Drawings", "Effects", "ExactMath", "Hashing", "JSONText",
                "Libav", "Measuring", "MediaFacts", "MediaReading", "MediaTime", "MediaWriting", "Outputs", "Overlays",
                "Pictures", "Planning", "SourceBlocks", "SplitreelFiles", "SplitreelProject", "SplitreelTimeline",
                "Threads", "Validation",
            ]),
        module(
            "Preparation",
            [
                "Diagnostics", "Drawings", "Hashing", "JSONText", "Libav", "MediaFacts", "MediaReading", "MediaTime",
                "Outputs", "Overlays", "Pictures", "Planning", "SplitreelFiles", "SplitreelProject",
                "SplitreelTimeline", "Threads", "Validation",
            ]),
        module(
            "Stitching",
            [
                "CodedVideo", "Diagnostics", "Hashing", "Libav", "MediaReading", "MediaTime", "MediaWriting", "Outputs",
                "Pictures", "Planning", "SplitreelFiles", "SplitreelProject",
            ]),
        module(
            "Isolation",
            [
                "Confinement", "Diagnostics", "Drawings", "Libav", "MediaFacts", "MediaReading", "MediaTime",
                "MediaWriting", "Outputs", "Overlays", "Planning", "Preparation", "SourceBlocks", "SplitreelFiles",
                "SplitreelProject", "Stitching", "Threads", "Transport",
            ]),
        module(
            "Verification",
            [
                "Diagnostics", "Measuring", "MediaFacts", "MediaReading", "MediaTime", "Outputs", "Pictures",
                "Planning", "Preparation", "Rendering", "SplitreelFiles", "SplitreelProject", "Stitching",
            ]),
        module(
            "Coordinator",
            [
                "DataPlane", "Diagnostics", "Drawings", "FarmKeys", "FarmProtocol", "Hashing", "Isolation", "JobStore",
                "KeyFiles", "MediaFacts", "MediaReading", "MediaTime", "MediaWriting", "Outputs", "Planning",
                "Preparation", "RemoteMedia", "Scheduling", "SegmentCache", "SourceBlocks", "SplitreelFiles",
                "SplitreelProject", "Stitching", "Threads", "Transport", logging,
            ]),
        module(
            "FarmClient",
            [
                "DataPlane", "Diagnostics", "FarmKeys", "FarmProtocol", "Hashing", "Reports", "Scheduling",
                "SplitreelFiles", "Threads", "Transport",
            ]),
        module(
            "Transfer",
            [
                "DataPlane", "Diagnostics", "FarmProtocol", "Hashing", "Scheduling", "SplitreelFiles", "Threads",
                "Transport",
            ]),
        module(
            "Worker",
            [
                "Confinement", "DataPlane", "Diagnostics", "FarmProtocol", "Hashing", "KeyFiles", "MediaFacts",
                "Outputs", "Overlays", "Planning", "Rendering", "Scheduling", "SourceBlocks", "SplitreelFiles",
                "Threads", "Transfer", "Transport", logging,
            ], strict),
        module(
            "LocalFarm",
            [
                "Confinement", "Coordinator", "Diagnostics", "FarmClient", "FarmKeys", "Hashing", "Isolation",
                "JSONText", "KeyFiles", "Libav", "MediaFacts", "MediaReading", "MediaTime", "MediaWriting", "Outputs",
                "Pictures", "Planning", "Preparation", "RemoteMedia", "Rendering", "Reports", "Scheduling",
                "SegmentCache", "SplitreelFiles", "SplitreelProject", "Stitching", "Threads", "Transport", "Worker",
                logging,
            ]),
        module("Reports", ["Diagnostics", "FarmProtocol", "Scheduling"]),

        // L4: edge
        module(
            "SplitreelCommands",
            [
                "Authoring", "Confinement", "Coordinator", "DataPlane", "Diagnostics", "FarmClient", "FarmKeys",
                "Isolation", "JSONText", "KeyFiles", "Libav", "LocalFarm", "MediaFacts", "MediaReading", "MediaTime",
                "MediaWriting", "ObjectStorage", "Outputs", "Pictures", "Planning", "Preparation", "RemoteMedia",
                "Rendering", "Reports", "Scheduling", "SegmentCache", "SourceBlocks", "SplitreelFiles",
                "SplitreelProject", "SplitreelSettings", "Stitching", "Threads", "Transport", "Validation",
                "Verification", "Worker", argumentParser, logging,
            ]),
        .executableTarget(name: "splitreel", dependencies: ["CCommit", "SplitreelCommands"], swiftSettings: strict),
        module(
            "Splitreel",
            [
                "AudioMixing", "Authoring", "Diagnostics", "Effects", "FarmClient", "FarmKeys", "JSONText", "KeyFiles",
                "Libav", "LocalFarm", "MediaFacts", "MediaReading", "MediaTime", "MediaWriting", "ObjectStorage",
                "Outputs", "Pictures", "Planning", "Preparation", "RemoteMedia", "Rendering", "Reports", "Scheduling",
                "SplitreelFiles", "SplitreelProject", "SplitreelTimeline", "Threads", logging,
            ]),
        module("SplitreelCLI", ["SplitreelCommands"]),

        // side
        // examples/custom-compositor has a manifest of its own; here it shares this package's build, and its tests.
        .executableTarget(
            name: "CustomCompositor", dependencies: ["Splitreel", "SplitreelCLI"],
            path: "examples/custom-compositor/Sources", packageAccess: false, swiftSettings: settings),
        // The same of examples/programs.
        .executableTarget(
            name: "Programs", dependencies: ["Splitreel"], path: "examples/programs/Sources", packageAccess: false,
            swiftSettings: settings),
        // A program without commands that renders on farms of its own.
        .executableTarget(
            name: "FarmProgram", dependencies: ["Splitreel"], path: "Tests/Support/FarmProgram", packageAccess: false,
            swiftSettings: settings),
        // The program that the guide's tutorial writes.
        .executableTarget(
            name: "Tutorial", dependencies: ["Splitreel"], path: "Tests/Support/Tutorial", packageAccess: false,
            swiftSettings: settings),

        // tests
        // what tests have in common: tools that know the product from outside, second renderers, dice, both brains
        support("TestTools"),
        support("Oracle", ["TestTools"]),
        support("RandomFilms", ["TestTools"]),
        support("Simulation", ["Diagnostics", "Hashing", "Scheduling", "TestTools"]),
        // A program that confines itself and tries to get out.
        .executableTarget(name: "BreakOut", dependencies: ["CConfinement"], path: "Tests/Support/BreakOut"),
        .executableTarget(
            name: "Asker", dependencies: ["FarmClient", "FarmKeys"], path: "Tests/Support/Asker",
            swiftSettings: settings),
        tests("CodedVideoTests", ["CodedVideo", "TestTools"]),
        tests("AudioMixingTests", values + ["AudioMixing", "SplitreelProject", "SplitreelTimeline", "Validation"]),
        tests(
            "CommandsTests",
            [
                "Confinement", "Diagnostics", "FarmClient", "FarmProtocol", "JSONText", "KeyFiles", "Libav",
                "LocalFarm", "MediaFacts", "MediaReading", "MediaTime", "Outputs", "Planning", "Reports", "Scheduling",
                "SplitreelCommands", "SplitreelFiles", "SplitreelProject", "SplitreelSettings", "TestTools", "Worker",
                logging,
            ]),
        tests("CompositingTests", ["Compositing", "Pictures", "TestTools"]),
        tests(
            "CompositionTests",
            values + ["Authoring", "ExactMath", "SplitreelProject", "SplitreelTimeline", "TestTools", "Validation"]),
        tests("ConfinementTests", ["Confinement", "TestTools"]),
        tests(
            "CoordinatorTests",
            values + [
                "Coordinator", "DataPlane", "FarmClient", "FarmKeys", "FarmProtocol", "Isolation", "JobStore",
                "KeyFiles", "ObjectStorage", "Planning", "Rendering", "Reports", "Scheduling", "SegmentCache",
                "SourceBlocks", "SplitreelFiles", "TestTools", "Threads", "Transfer", "Transport", "Worker", logging,
            ]),
        tests("DataPlaneTests", ["DataPlane", "Diagnostics", "Hashing", "Scheduling", "TestTools"]),
        tests("DiagnosticsTests", ["Diagnostics"]),
        tests("EffectsTests", values + ["Effects", "SplitreelProject", "TestTools"]),
        tests("EncodingTests", values + ["Compositing", "Libav", "MediaReading", "MediaWriting"]),
        tests("EndToEndTests", ["FarmProtocol", "TestTools", protobuf]),
        tests(
            "FarmClientTests",
            ["Diagnostics", "FarmClient", "FarmProtocol", "Reports", "Scheduling", "Threads", "Transport"]),
        tests("FarmKeysTests", ["Diagnostics", "FarmKeys"]),
        tests(
            "FarmProtocolTests",
            ["DataPlane", "Diagnostics", "FarmKeys", "FarmProtocol", "Scheduling", "TestTools"]),
        tests("FilesTests", ["Diagnostics", "SplitreelFiles", "TestTools"]),
        tests(
            "GoldenTests",
            values + [
                "Compositing", "Libav", "Planning", "Preparation", "Rendering", "SplitreelProject", "TestTools",
            ]),
        tests("HashingTests", ["Hashing"]),
        tests("InvarianceTests", ["Oracle", "RandomFilms", "TestTools"]),
        tests(
            "IsolationTests",
            values + [
                "Confinement", "Isolation", "MediaReading", "Planning", "SplitreelProject", "TestTools", "Threads",
            ]),
        tests("JobStoreTests", values + ["JobStore", "Planning", "Scheduling", "SplitreelProject", grdb]),
        tests(
            "MediaTests",
            values + [
                "CFFmpeg", "Compositing", "Libav", "Measuring", "MediaReading", "SourceBlocks", "SplitreelFiles",
                "SplitreelProject", "SplitreelTimeline", "TestTools", "Threads", "Validation",
            ]),
        tests("KeyFilesTests", ["Diagnostics", "FarmKeys", "KeyFiles"]),
        // What the library can do, by its public names alone.
        tests("LibraryTests", ["Splitreel", "TestTools"], isOutside: true),
        tests("MediaTimeTests", ["MediaTime", "TestTools"]),
        tests(
            "ObjectStorageTests",
            [
                "Diagnostics", "Hashing", "ObjectStorage", "RemoteMedia", "SegmentCache", "SourceBlocks",
                "SplitreelFiles", "TestTools", "Threads",
            ]),
        tests("OverlaysTests", ["Diagnostics", "Drawings", "Overlays", "Pictures", "SplitreelProject", "TestTools"]),
        tests(
            "PlanningTests",
            values + ["Planning", "SplitreelProject", "SplitreelTimeline", "TestTools", "Validation"]),
        tests(
            "PreparationTests",
            values + [
                "Planning", "Preparation", "SplitreelProject", "SplitreelTimeline", "TestTools", "Threads",
                "Validation",
            ]),
        tests(
            "RenderingTests",
            values + [
                "Authoring", "Compositing", "Libav", "MediaReading", "MediaWriting", "Oracle", "Planning",
                "Preparation", "RandomFilms", "Rendering", "SourceBlocks", "SplitreelFiles", "SplitreelProject",
                "SplitreelTimeline", "Stitching", "TestTools", "Threads", "Validation",
            ]),
        tests("ReportsTests", ["Diagnostics", "FarmProtocol", "Reports", "Scheduling"]),
        tests("SchedulingTests", ["Diagnostics", "Hashing", "Scheduling", "Simulation", "TestTools"]),
        tests(
            "SegmentCacheTests",
            ["Diagnostics", "Hashing", "ObjectStorage", "SegmentCache", "SplitreelFiles", "TestTools"]),
        tests("SimulationTests", ["Scheduling", "Simulation", "TestTools"]),
        tests(
            "SourceBlocksTests", values + ["MediaReading", "SourceBlocks", "SplitreelFiles", "TestTools", "Threads"]),
        tests(
            "SplitreelTests",
            values + [
                "Libav", "Planning", "Preparation", "Rendering", "Splitreel", "SplitreelProject", "SplitreelTimeline",
                "TestTools", "Threads", "Validation",
            ]),
        tests(
            "StitchingTests",
            values + [
                "Compositing", "Libav", "MediaReading", "MediaWriting", "Planning", "SplitreelProject", "Stitching",
            ]),
        tests("ThreadsTests", ["Diagnostics", "Threads"]),
        tests("TidyTests", []),
        tests("TransportTests", ["Diagnostics", "FarmKeys", "Threads", "Transport"]),
        tests(
            "WorkerTests",
            values + [
                "Confinement", "FarmProtocol", "KeyFiles", "Planning", "Rendering", "Scheduling", "SourceBlocks",
                "SplitreelFiles", "TestTools", "Threads", "Transport", "Worker", logging,
            ]),
    ]
)
