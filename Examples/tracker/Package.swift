// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tracker",
    dependencies: [.package(name: "locwatch", path: "../..")],
    targets: [
        .executableTarget(
            name: "tracker",
            dependencies: [
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationGPSD", package: "locwatch"),
                .product(name: "LocationTracks", package: "locwatch"),
            ]),
        .testTarget(
            name: "trackerTests",
            dependencies: [
                "tracker",
                .product(name: "LocationTesting", package: "locwatch"),
            ]),
    ])
