// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library or tool of this package; its dependencies are the only arrows it may follow.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linker)
}

func tests(of name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "locwatch",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "LocationCore", targets: ["LocationCore"]),
        .library(name: "GPSDReports", targets: ["GPSDReports"]),
        .library(name: "LocationTesting", targets: ["LocationTesting"]),
    ],
    targets: [
        // The standard library's own squareRoot() and rounded() end in libm, which nothing else here asks for.
        room("LocationCore", linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        room("GPSDReports", ["LocationCore"]),
        room("LocationTesting", ["LocationCore", "GPSDReports"]),
        tests(of: "LocationCore", ["LocationCore"]),
        tests(of: "GPSDReports", ["GPSDReports", "LocationCore"]),
        tests(of: "LocationTesting", ["LocationTesting", "GPSDReports", "LocationCore"]),
    ],
    swiftLanguageModes: [.v6]
)
