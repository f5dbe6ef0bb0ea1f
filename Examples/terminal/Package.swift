// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "terminal",
    dependencies: [.package(name: "locwatch", path: "../..")],
    targets: [
        .executableTarget(
            name: "terminal",
            dependencies: [
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationGPSD", package: "locwatch"),
                .product(name: "LocationObservation", package: "locwatch"),
                .product(name: "GPSDProtocol", package: "locwatch"),
            ]),
        .testTarget(
            name: "terminalTests",
            dependencies: [
                "terminal",
                .product(name: "LocationCore", package: "locwatch"),
                .product(name: "LocationTesting", package: "locwatch"),
            ]),
    ])
