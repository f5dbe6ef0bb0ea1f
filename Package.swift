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

/// The tests of a module, or of the whole.
///
/// Only a target named …EndToEndTests may start a gpsd or a program of this package: `make check` leaves those out.
func tests(of name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "locwatch",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "LocationCore", targets: ["LocationCore"]),
        .library(name: "GPSDReports", targets: ["GPSDReports"]),
        .library(name: "LocationGPSD", targets: ["LocationGPSD"]),
        .library(name: "LocationTracks", targets: ["LocationTracks"]),
        .library(name: "LocationPublishing", targets: ["LocationPublishing"]),
        .library(name: "LocationTransports", targets: ["LocationTransports"]),
        .library(name: "LocationTesting", targets: ["LocationTesting"]),
        .executable(name: "locwatch", targets: ["locwatch"]),
    ],
    targets: [
        // The standard library's own squareRoot() and rounded() end in libm, which nothing else here asks for.
        room("LocationCore", linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        room("GPSDReports", ["Platform", "LocationCore"]),
        room("LocationTracks", ["LocationCore"]),
        room("LocationPublishing", ["LocationCore"]),
        // Without pkgConfig, which would link libcurl: it is opened at run time.
        .target(name: "CCurl"),
        room("LocationTransports", ["CCurl", "Platform", "LocationPublishing"]),
        room("LocationTesting", ["LocationCore", "GPSDReports", "LocationPublishing"]),
        .systemLibrary(name: "CGPSD", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .target(name: "CPlatform"),
        room("Platform", ["CPlatform"]),
        room("LocationGPSD", ["CGPSD", "Platform", "GPSDReports", "LocationCore"]),
        room("GPSDSimulation", ["Platform", "GPSDReports", "LocationCore"]),
        room(
            "LocwatchCommand",
            ["LocationGPSD", "GPSDSimulation", "LocationTracks", "GPSDReports", "Platform", "LocationCore"]),
        .executableTarget(name: "locwatch", dependencies: ["LocwatchCommand"], swiftSettings: strict),
        .executableTarget(
            name: "locwatch-dev",
            dependencies: [
                "LocationGPSD", "GPSDSimulation", "LocationTracks", "GPSDReports", "Platform", "LocationCore",
            ],
            swiftSettings: strict),
        tests(of: "LocationCore", ["LocationCore", "LocationTesting"]),
        tests(of: "GPSDReports", ["GPSDReports", "LocationCore", "LocationTesting"]),
        tests(of: "LocationTracks", ["LocationTracks", "GPSDReports", "LocationCore"]),
        tests(of: "LocationPublishing", ["LocationPublishing", "LocationTesting"]),
        tests(of: "LocationTransports", ["LocationTransports", "LocationPublishing", "LocationTesting", "CCurl"]),
        tests(
            of: "HTTPEndToEnd",
            ["LocationTransports", "LocationPublishing", "Platform"],
            exclude: ["http_server.py"]),
        tests(of: "LocationTesting", ["LocationTesting", "GPSDReports", "LocationPublishing", "LocationCore"]),
        tests(of: "CGPSD", ["CGPSD"], exclude: ["Headers", "Programs"]),
        tests(
            of: "LocationGPSD",
            [
                "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDReports", "Platform", "LocationCore",
            ]),
        tests(of: "Platform", ["Platform"]),
        tests(of: "GPSDSimulation", ["GPSDSimulation", "Platform", "GPSDReports", "LocationCore"]),
        tests(of: "GPSDReportsOracle", ["GPSDReports", "LocationCore", "CGPSD"]),
        tests(of: "CommandEndToEnd", ["LocationGPSD", "GPSDSimulation", "GPSDReports", "Platform", "locwatch"]),
        tests(
            of: "LocwatchCommand",
            [
                "LocwatchCommand", "LocationGPSD", "GPSDSimulation", "LocationTesting", "LocationTracks", "GPSDReports",
                "Platform", "LocationCore",
            ],
            exclude: ["Golden", "validate.py"]),
        tests(
            of: "EndToEnd",
            [
                "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationTesting", "GPSDReports", "Platform",
                "LocationCore", "locwatch-dev",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
