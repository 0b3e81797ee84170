// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CustomCompositor",
    dependencies: [.package(name: "splitreel", path: "../..")],
    targets: [
        .executableTarget(
            name: "CustomCompositor",
            dependencies: [
                .product(name: "Splitreel", package: "splitreel"), .product(name: "SplitreelCLI", package: "splitreel"),
            ],
            path: "Sources")
    ]
)
