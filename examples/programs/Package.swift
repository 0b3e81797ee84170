// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Programs",
    dependencies: [.package(name: "splitreel", path: "../..")],
    targets: [
        .executableTarget(
            name: "Programs", dependencies: [.product(name: "Splitreel", package: "splitreel")], path: "Sources")
    ]
)
