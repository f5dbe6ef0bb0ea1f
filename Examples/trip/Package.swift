// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "trip",
    // The clocks and the observation of the library need it; Linux has no such limit.
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "locwatch", path: "../..")],
    targets: [
        .target(
            name: "trip",
            dependencies: [
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationFoundation", package: "locwatch"),
                .product(name: "LocationObservation", package: "locwatch"),
            ]),
        .testTarget(
            name: "tripTests",
            dependencies: [
                "trip",
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationObservation", package: "locwatch"),
                .product(name: "LocationTesting", package: "locwatch"),
            ]),
    ])
