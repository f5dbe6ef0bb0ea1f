// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "fence",
    dependencies: [.package(name: "locwatch", path: "../..")],
    targets: [
        .executableTarget(
            name: "fence",
            dependencies: [
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationGPSD", package: "locwatch"),
            ]),
        .testTarget(
            name: "fenceTests",
            dependencies: [
                "fence",
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationTesting", package: "locwatch"),
            ]),
    ])
