// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library or tool of this package; its dependencies are the only arrows it may follow.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = []) -> Target {
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
        library("LocwatchSupport"),
        // The standard library's own squareRoot() and rounded() end in libm, which nothing else here asks for.
        library("LocationCore", ["LocwatchSupport"], linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // Foundation costs the program milliseconds and megabytes, so its types are in a product of their own.
        library("LocationFoundation", ["LocationCore"]),
        library("GPSDReports", ["LocwatchPlatform", "LocationCore", "LocwatchSupport"]),
        // Like libcurl below, libexpat is opened at run time.
        .target(name: "CExpat"),
        library("LocationTracks", ["CExpat", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        library("LocationObservation", ["LocationCore"]),
        library("LocationPublishing", ["LocationCore", "LocwatchSupport"]),
        // Without pkgConfig, which would link libcurl: it is opened at run time.
        .target(name: "CCurl"),
        // Like libcurl, libmosquitto is opened at run time.
        .target(name: "CMosquitto"),
        // As is libmicrohttpd, for `locwatch web`.
        .target(name: "CMicrohttpd"),
        library(
            "LocationTransports",
            [
                "CCurl", "CMosquitto", "GPSDReports", "LocwatchPlatform", "LocationPublishing", "LocationCore",
                "LocwatchSupport",
            ]),
        library("LocationTesting", ["LocationCore", "LocwatchSupport"]),
        library(
            "LocationPublishingTesting", ["LocationTesting", "LocationPublishing", "LocationCore", "LocwatchSupport"]),
        library("GPSDReportsTesting", ["GPSDReports", "LocationTesting", "LocationCore"]),
        library(
            "BrokerSimulation",
            ["LocwatchPlatform", "LocationTesting", "LocationPublishing", "LocationCore", "LocwatchSupport"]),
        .systemLibrary(name: "CGPSD", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .target(name: "CLocwatchPlatform"),
        library("LocwatchPlatform", ["CLocwatchPlatform", "LocwatchSupport"]),
        library("LocationGPSD", ["CGPSD", "LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        library("GPSDSimulation", ["LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        // The page of `locwatch web` and the JSON Schema, embedded from Web and Schema.
        .target(name: "CLocwatchResources"),
        // The command in modules, from the lowest to the highest.
        library("LocwatchTerminal", ["LocationTracks", "LocwatchPlatform", "LocationCore"]),
        library(
            "LocwatchArguments",
            [
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationPublishing",
                "LocationTransports", "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        library(
            "LocwatchPrinting",
            [
                "LocwatchArguments", "LocwatchTerminal", "LocationGPSD", "LocationTracks", "LocationTransports",
                "LocationCore", "LocwatchSupport",
            ]),
        library(
            "LocwatchSession",
            [
                "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationTracks", "LocationPublishing",
                "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        library(
            "LocwatchPublish",
            [
                "LocwatchSession", "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationPublishing",
                "LocationTransports", "LocwatchPlatform", "LocationCore",
            ]),
        library(
            "LocwatchStatistics",
            [
                "LocwatchSession", "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationGPSD",
                "LocationTracks", "GPSDReports", "LocationCore",
            ]),
        library(
            "LocwatchWeb",
            [
                "CLocwatchResources", "CMicrohttpd", "LocwatchPublish", "LocwatchSession", "LocwatchPrinting",
                "LocwatchArguments", "LocwatchTerminal", "LocationTracks", "LocwatchPlatform", "LocationCore",
                "LocwatchSupport",
            ]),
        library(
            "LocwatchMonitor",
            [
                "LocwatchSession", "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationTracks",
                "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        library(
            "LocwatchDoctor",
            [
                "LocwatchStatistics", "LocwatchPublish", "LocwatchSession", "LocwatchPrinting", "LocwatchArguments",
                "LocwatchTerminal", "LocationGPSD", "LocationTracks", "LocationPublishing", "LocationTransports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        library(
            "LocwatchCommand",
            [
                "CLocwatchResources", "LocwatchDoctor", "LocwatchMonitor", "LocwatchWeb", "LocwatchStatistics",
                "LocwatchPublish", "LocwatchSession", "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal",
                "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationPublishing", "GPSDReports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        .executableTarget(name: "locwatch", dependencies: ["LocwatchCommand"], swiftSettings: strict),
        .executableTarget(
            name: "locwatch-dev",
            dependencies: [
                "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationTransports", "LocationPublishing",
                "LocationTesting", "GPSDReports", "LocwatchPlatform", "LocationCore",
            ],
            swiftSettings: strict),
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
                "LocationPublishing", "LocationPublishingTesting", "LocationTesting", "LocationTracks", "LocationCore",
                "LocwatchSupport",
            ]),
        tests(
            of: "LocationTransports",
            [
                "TestSupport", "LocationTransports", "LocationPublishing", "LocationPublishingTesting",
                "LocationTesting", "GPSDReportsTesting",
                "BrokerSimulation",
                "GPSDReports", "LocwatchPlatform", "LocationCore", "LocwatchSupport", "CCurl", "CMosquitto",
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
                "LocationTesting", "LocationPublishingTesting", "BrokerSimulation", "GPSDReportsTesting", "GPSDReports",
                "LocationPublishing", "LocationCore", "LocwatchSupport",
            ]),
        tests(
            of: "Documentation",
            [
                "LocationCore", "LocationObservation", "LocationGPSD", "GPSDReports", "GPSDSimulation",
                "LocationTracks",
                "LocationPublishing", "LocationPublishingTesting", "LocationTransports", "LocationTesting",
                "BrokerSimulation",
                "LocationFoundation",
            ]),
        tests(of: "CGPSD", ["CGPSD"], exclude: ["Headers", "Programs"]),
        tests(
            of: "LocationGPSD",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDReports", "LocwatchPlatform",
                "LocationCore", "LocwatchSupport",
            ]),
        tests(of: "LocwatchPlatform", ["TestSupport", "LocwatchPlatform", "LocwatchSupport"]),
        tests(
            of: "GPSDSimulation",
            ["GPSDSimulation", "LocwatchPlatform", "GPSDReports", "LocationCore", "LocwatchSupport"]),
        tests(of: "GPSDReportsOracle", ["GPSDReports", "LocationCore", "CGPSD"]),
        tests(
            of: "CommandEndToEnd",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "GPSDReports", "LocwatchPlatform", "LocationCore",
                "LocwatchSupport", "locwatch",
            ]),
        tests(
            of: "LocwatchCommand",
            [
                "TestSupport", "LocwatchCommand", "LocwatchDoctor", "LocwatchMonitor", "LocwatchWeb",
                "LocwatchStatistics", "LocwatchPublish", "LocwatchSession", "LocwatchPrinting", "LocwatchArguments",
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDReportsTesting",
                "LocationTracks",
                "LocationPublishing", "LocationTransports", "LocationObservation", "BrokerSimulation", "GPSDReports",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
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
