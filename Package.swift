// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The layers below Sources: the products, the command over them, and C and the platform under both.
enum Layer: String {
    case library = "Library"
    case command = "Command"
    case system = "System"

    /// Returns the folder of a module.
    func path(_ name: String) -> String { "Sources/\(rawValue)/\(name)" }
}

/// A module of this package; its dependencies are the only arrows it may follow.
func module(
    _ name: String, _ layer: Layer, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: layer.path(name), swiftSettings: strict, linkerSettings: linker)
}

/// A module in C.
func cModule(_ name: String) -> Target {
    .target(name: name, path: Layer.system.path(name), cSettings: [.headerSearchPath("../OptionalLibraries")])
}

/// The tests of a module, or of the whole.
///
/// Only a target named …EndToEndTests may start a gpsd or a program of this package: `make check` leaves those out.
func tests(of name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "locwatch",
    // The products without Glibc need the standard library's Mutex, Int128 and isolated sequences; the others are for Linux.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LocationCore", targets: ["LocationCore"]),
        .library(name: "LocationFoundation", targets: ["LocationFoundation"]),
        .library(name: "GPSDReports", targets: ["GPSDReports"]),
        .library(name: "LocationGPSD", targets: ["LocationGPSD"]),
        .library(name: "LocationTracks", targets: ["LocationTracks"]),
        .library(name: "LocationObservation", targets: ["LocationObservation"]),
        .library(name: "LocationPublishing", targets: ["LocationPublishing"]),
        .library(name: "LocationTransports", targets: ["LocationTransports"]),
        .library(name: "LocationTesting", targets: ["LocationTesting"]),
        .library(name: "LocationPublishingTesting", targets: ["LocationPublishingTesting"]),
        .library(name: "GPSDReportsTesting", targets: ["GPSDReportsTesting"]),
        .library(name: "GPSDSimulation", targets: ["GPSDSimulation"]),
        .library(name: "BrokerSimulation", targets: ["BrokerSimulation"]),
        .executable(name: "locwatch", targets: ["locwatch"]),
    ],
    targets: [
        module("LocwatchSupport", .system),
        // Sine, cosine and arc tangent are those of libm.
        module(
            "LocationCore", .library, ["LocwatchSupport"], linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // Foundation costs the program milliseconds and megabytes, so its types are in a product of their own.
        module("LocationFoundation", .library, ["LocationCore"]),
        module("GPSDReports", .library, ["LocwatchPlatform", "LocationCore", "LocwatchSupport"]),
        // Like libcurl below, libexpat is opened at run time.
        cModule("CExpat"),
        module("LocationTracks", .library, ["CExpat", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        module("LocationObservation", .library, ["LocationCore"]),
        module("LocationPublishing", .library, ["LocationCore", "LocwatchSupport"]),
        // Without pkgConfig, which would link libcurl: it is opened at run time.
        cModule("CCurl"),
        // Like libcurl, libmosquitto is opened at run time.
        cModule("CMosquitto"),
        // As are SQLite, for the queue of `publish`, and libmicrohttpd, for `locwatch web`.
        cModule("CSQLite"),
        cModule("CMicrohttpd"),
        module(
            "LocationTransports", .library,
            [
                "CCurl", "CMosquitto", "CSQLite", "GPSDReports", "LocwatchPlatform", "LocationPublishing",
                "LocationCore", "LocwatchSupport",
            ]),
        module("LocationTesting", .library, ["LocationCore", "LocwatchSupport"]),
        module(
            "LocationPublishingTesting", .library,
            ["LocationTesting", "LocationPublishing", "LocationCore", "LocwatchSupport"]),
        module("GPSDReportsTesting", .library, ["GPSDReports", "LocationTesting", "LocationCore"]),
        module(
            "BrokerSimulation", .library,
            ["LocwatchPlatform", "LocationTesting", "LocationPublishing", "LocationCore", "LocwatchSupport"]),
        .systemLibrary(
            name: "CGPSD", path: Layer.system.path("CGPSD"), pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        cModule("CLocwatchPlatform"),
        module("LocwatchPlatform", .system, ["CLocwatchPlatform", "LocwatchSupport"]),
        module(
            "LocationGPSD", .library, ["CGPSD", "LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        module("GPSDSimulation", .library, ["LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        // The page of `locwatch web`, the JSON Schema and the text of the manual, embedded from Web, Schema and Manual.
        cModule("CLocwatchResources"),
        // The command in modules, from the lowest to the highest.
        module("LocwatchTerminal", .command, ["LocationTracks", "LocwatchPlatform", "LocationCore"]),
        module(
            "LocwatchArguments", .command,
            [
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationPublishing",
                "LocationTransports", "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchPrinting", .command,
            [
                "LocwatchArguments", "LocwatchTerminal", "LocationGPSD", "LocationTracks", "LocationTransports",
                "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchSession", .command,
            [
                "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationTracks", "LocationPublishing",
                "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchCommand", .command,
            [
                "CLocwatchResources", "CMicrohttpd", "LocationTransports", "LocwatchSession", "LocwatchPrinting",
                "LocwatchArguments", "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTracks",
                "LocationPublishing", "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        .executableTarget(
            name: "locwatch", dependencies: ["LocwatchCommand"], path: Layer.command.path("locwatch"),
            swiftSettings: strict),
        .executableTarget(
            name: "locwatch-dev",
            dependencies: [
                "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationTransports", "LocationPublishing",
                "LocationTesting", "GPSDReports", "LocwatchPlatform", "LocationCore",
            ],
            path: Layer.command.path("locwatch-dev"), swiftSettings: strict),
        // The code that the tests of several modules share.
        .target(
            name: "TestSupport", dependencies: ["LocationTracks", "LocationCore"], path: "Tests/TestSupport",
            swiftSettings: strict),
        tests(
            of: "LocationCore",
            ["TestSupport", "LocationCore", "LocationFoundation", "LocationTesting", "LocwatchSupport"]),
        tests(of: "GPSDReports", ["GPSDReports", "LocationCore", "LocationTesting", "LocwatchSupport"]),
        tests(
            of: "LocationTracks",
            [
                "TestSupport", "LocationTracks", "LocationTesting", "CExpat", "GPSDReports", "LocationCore",
                "LocwatchSupport",
            ]),
        tests(of: "LocationObservation", ["LocationObservation", "LocationTesting", "LocationCore"]),
        tests(
            of: "LocationPublishing",
            [
                "LocationPublishing", "LocationPublishingTesting", "LocationTesting", "LocationTracks",
                "LocationCore", "LocwatchSupport",
            ]),
        tests(
            of: "LocationTransports",
            [
                "TestSupport", "LocationTransports", "LocationPublishing", "LocationPublishingTesting",
                "LocationTesting", "GPSDReportsTesting", "BrokerSimulation", "GPSDReports", "LocwatchPlatform",
                "LocationCore", "LocwatchSupport", "CCurl", "CMosquitto",
            ]),
        tests(
            of: "HTTPEndToEnd", ["TestSupport", "LocationTransports", "LocationPublishing", "LocwatchPlatform"],
            exclude: ["http_server.py"]),
        tests(
            of: "PublishEndToEnd",
            [
                "TestSupport", "LocationTransports", "LocationPublishing", "LocationTesting", "LocwatchPlatform",
                "LocationCore", "LocwatchSupport",
            ]),
        tests(
            of: "LocationTesting",
            [
                "LocationTesting", "LocationPublishingTesting", "BrokerSimulation", "GPSDReportsTesting",
                "GPSDReports", "LocationPublishing", "LocationCore", "LocwatchSupport",
            ]),
        tests(
            of: "Documentation",
            [
                "LocationCore", "LocationObservation", "LocationGPSD", "GPSDReports", "GPSDSimulation",
                "LocationTracks", "LocationPublishing", "LocationPublishingTesting", "LocationTransports",
                "LocationTesting", "BrokerSimulation", "LocationFoundation",
            ]),
        tests(of: "CGPSD", ["CGPSD"], exclude: ["Headers", "Programs"]),
        tests(
            of: "LocationGPSD",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDReports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        tests(of: "LocwatchPlatform", ["TestSupport", "LocwatchPlatform", "LocwatchSupport"]),
        tests(
            of: "GPSDSimulation",
            ["GPSDSimulation", "LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        tests(of: "GPSDReportsOracle", ["GPSDReports", "LocationCore", "CGPSD"]),
        tests(
            of: "CommandEndToEnd",
            [
                "TestSupport", "LocationTransports", "LocationGPSD", "GPSDSimulation", "GPSDReports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport", "locwatch",
            ]),
        tests(
            of: "LocwatchCommand",
            [
                "TestSupport", "LocwatchCommand", "LocwatchSession", "LocwatchPrinting", "LocwatchArguments",
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDReportsTesting",
                "LocationTracks", "LocationPublishing", "LocationTransports", "LocationObservation",
                "BrokerSimulation", "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ],
            exclude: ["Golden", "validate.py"]),
        tests(
            of: "EndToEnd",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationTesting", "GPSDReports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport", "locwatch-dev",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
