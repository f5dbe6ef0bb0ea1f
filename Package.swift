// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library or tool of this package; its dependencies are the only arrows it may follow.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
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
        room("LocationCore"),
        room("GPSDReports", ["LocationCore"]),
        room("LocationTesting", ["LocationCore", "GPSDReports"]),
        .systemLibrary(name: "CGPSD", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        room("LocationGPSD", ["CGPSD"]),
        tests(of: "LocationCore", ["LocationCore"]),
        tests(of: "GPSDReports", ["GPSDReports", "LocationCore"]),
        tests(of: "LocationTesting", ["LocationTesting", "GPSDReports", "LocationCore"]),
        tests(of: "CGPSD", ["CGPSD"], exclude: ["Headers", "Programs"]),
        tests(of: "GPSDReportsOracle", ["GPSDReports", "LocationCore", "CGPSD"]),
        tests(of: "LocationGPSD", ["LocationGPSD"]),
    ],
    swiftLanguageModes: [.v6]
)
