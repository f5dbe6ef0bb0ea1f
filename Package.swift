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
///
/// A module that builds on any platform has what is for Linux in a folder `Linux`, with the dependencies of its own.
func module(
    _ name: String, _ layer: Layer, _ dependencies: [Target.Dependency] = [], onLinux: [String] = [],
    linker: [LinkerSetting] = []
) -> Target {
    let conditional = onLinux.map { Target.Dependency.target(name: $0, condition: .when(platforms: [.linux])) }
    #if os(Linux)
        let exclude: [String] = []
    #else
        let exclude = onLinux.isEmpty ? [] : ["Linux"]
    #endif
    return .target(
        name: name, dependencies: dependencies + conditional, path: layer.path(name), exclude: exclude,
        swiftSettings: strict, linkerSettings: linker)
}

/// A module in C.
func cModule(_ name: String) -> Target {
    .target(name: name, path: Layer.system.path(name), cSettings: [.headerSearchPath("../OptionalLibraries")])
}

/// The tests of a module, or of the whole.
///
/// Only a target named …EndToEndTests may start a gpsd or a program of this package: `make check` leaves those out.
func tests(
    of name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], plugins: [Target.PluginUsage] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict, plugins: plugins)
}

let package = Package(
    name: "locwatch",
    // The products without Glibc need the standard library's Mutex, Int128 and isolated sequences; the others are for Linux.
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LocationCore", targets: ["LocationCore"]),
        .library(name: "LocationFoundation", targets: ["LocationFoundation"]),
        .library(name: "LocationObservation", targets: ["LocationObservation"]),
        .library(name: "LocationGPSD", targets: ["LocationGPSD"]),
        .library(name: "GPSDProtocol", targets: ["GPSDProtocol"]),
        .library(name: "LocationTracks", targets: ["LocationTracks"]),
        .library(name: "LocationPublishing", targets: ["LocationPublishing"]),
        .library(name: "LocationTesting", targets: ["LocationTesting"]),
        .library(name: "LocationRecordingsTesting", targets: ["LocationRecordingsTesting"]),
        .library(name: "LocationPublishingTesting", targets: ["LocationPublishingTesting"]),
        .library(name: "GPSDSimulation", targets: ["GPSDSimulation"]),
        .executable(name: "locwatch", targets: ["locwatch"]),
    ],
    targets: [
        module("LocwatchSupport", .system),
        // Sine, cosine and arc tangent are those of libm.
        module(
            "LocationCore", .library, ["LocwatchSupport"], linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // Foundation costs the program milliseconds and megabytes, so its types are in a product of their own.
        module("LocationFoundation", .library, ["LocationCore"]),
        module("LocationObservation", .library, ["LocationCore"]),
        module("GPSDProtocol", .library, ["LocwatchPlatform", "LocationCore", "LocwatchSupport"]),
        // Libraries that are opened at run time; a pkgConfig would link them.
        cModule("CCurl"),
        cModule("CExpat"),
        cModule("CMicrohttpd"),
        cModule("CMosquitto"),
        cModule("CSQLite"),
        module(
            "LocationTracks", .library,
            ["CExpat", "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport"]),
        module(
            "LocationPublishing", .library, ["LocationCore", "LocwatchSupport"],
            onLinux: ["CCurl", "CMosquitto", "CSQLite", "GPSDProtocol", "LocwatchPlatform"]),
        // The test kit, and what it has for recordings and for HTTP: the kit needs no header of another library.
        module("LocationTesting", .library, ["LocationCore", "LocwatchSupport"]),
        module(
            "LocationRecordingsTesting", .library,
            ["LocationTesting", "GPSDProtocol", "LocationCore", "LocwatchSupport"]),
        module(
            "LocationPublishingTesting", .library,
            ["LocationTesting", "LocationPublishing", "LocationCore", "LocwatchSupport"]),
        .systemLibrary(
            name: "CGPSD", path: Layer.system.path("CGPSD"), pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        cModule("CLocwatchPlatform"),
        module("LocwatchPlatform", .system, ["CLocwatchPlatform", "LocwatchSupport"]),
        module(
            "LocationGPSD", .library,
            ["CGPSD", "LocwatchPlatform", "GPSDProtocol", "LocationCore", "LocwatchSupport"]),
        module(
            "GPSDSimulation", .library, ["LocwatchPlatform", "GPSDProtocol", "LocationCore", "LocwatchSupport"]),
        // The page of `locwatch web`, the JSON Schema and the text of the manual, embedded from Web, Schema and Manual.
        cModule("CLocwatchResources"),
        // The command in modules, from the lowest to the highest.
        module("LocwatchTerminal", .command, ["LocationTracks", "LocwatchPlatform", "LocationCore"]),
        module(
            "LocwatchArguments", .command,
            [
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationPublishing",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchPrinting", .command,
            [
                "LocwatchArguments", "LocwatchTerminal", "LocationGPSD", "LocationTracks", "LocationPublishing",
                "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchSession", .command,
            [
                "LocwatchPrinting", "LocwatchArguments", "LocwatchTerminal", "LocationTracks", "LocationPublishing",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        module(
            "LocwatchCommand", .command,
            [
                "CLocwatchResources", "CMicrohttpd", "LocationPublishing", "LocwatchSession", "LocwatchPrinting",
                "LocwatchArguments", "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationTracks",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        .executableTarget(
            name: "locwatch", dependencies: ["LocwatchCommand"], path: Layer.command.path("locwatch"),
            swiftSettings: strict),
        // The attacks and journeys by which the rules of integrity are measured, for tests and for locwatch-dev.
        module("IntegrityTrials", .command, ["GPSDProtocol", "LocationCore"]),
        .executableTarget(
            name: "locwatch-dev",
            dependencies: [
                "IntegrityTrials", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationPublishing",
                "GPSDProtocol",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ],
            path: Layer.command.path("locwatch-dev"), swiftSettings: strict),
        // The code that the tests of several modules share.
        .target(
            name: "TestSupport",
            dependencies: [
                "LocationTracks", "LocationPublishing", "LocationTesting", "LocwatchPlatform", "LocationCore",
                "LocwatchSupport",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests(
            of: "LocationCore",
            [
                "TestSupport", "IntegrityTrials", "LocationCore", "LocationFoundation", "LocationTesting",
                "LocwatchSupport",
            ]),
        tests(
            of: "GPSDProtocol",
            [
                "TestSupport", "IntegrityTrials", "GPSDProtocol", "LocationCore", "LocationTesting",
                "LocwatchSupport",
            ]),
        tests(
            of: "LocationTracks",
            [
                "TestSupport", "LocationTracks", "LocationTesting", "CExpat", "GPSDProtocol", "LocationCore",
                "LocwatchSupport",
            ],
            exclude: ["Golden"]),
        tests(of: "LocationObservation", ["LocationObservation", "LocationTesting", "LocationCore"]),
        tests(
            of: "LocationPublishing",
            [
                "TestSupport", "LocationPublishing", "LocationPublishingTesting", "LocationTesting", "LocationTracks",
                "LocationCore", "LocwatchSupport",
            ],
            exclude: ["Golden"]),
        tests(
            of: "LivePublishing",
            [
                "TestSupport", "LocationPublishing", "LocationPublishingTesting", "LocationTesting",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport", "CCurl", "CMosquitto",
            ]),
        tests(
            of: "HTTPEndToEnd", ["TestSupport", "LocationPublishing", "LocationTesting", "LocwatchPlatform"],
            exclude: ["http_server.py"]),
        tests(
            of: "PublishEndToEnd",
            ["TestSupport", "LocationPublishing", "LocationTesting", "LocationCore"]),
        tests(of: "LocationTesting", ["TestSupport", "LocationTesting", "LocationCore", "LocwatchSupport"]),
        tests(
            of: "LocationRecordingsTesting",
            ["TestSupport", "LocationRecordingsTesting", "LocationTesting", "GPSDProtocol", "LocationCore"]),
        tests(
            of: "LocationPublishingTesting",
            ["TestSupport", "LocationPublishingTesting", "LocationTesting", "LocationPublishing", "LocationCore"]),
        tests(
            of: "Documentation",
            [
                "TestSupport", "LocationCore", "LocationObservation", "LocationGPSD", "GPSDProtocol",
                "GPSDSimulation", "LocationTracks", "LocationPublishing", "LocationTesting",
                "LocationRecordingsTesting", "LocationPublishingTesting", "LocationFoundation",
            ], plugins: ["DocumentationExamples"]),
        .plugin(
            name: "DocumentationExamples", capability: .buildTool(), path: "Tests/DocumentationExamples",
            exclude: ["blocks.awk"]),
        tests(of: "CGPSD", ["TestSupport", "CGPSD"], exclude: ["Headers", "Programs"]),
        tests(
            of: "LocationGPSD",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "LocationTesting", "GPSDProtocol",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ]),
        tests(of: "LocwatchPlatform", ["TestSupport", "LocationTesting", "LocwatchPlatform", "LocwatchSupport"]),
        tests(
            of: "GPSDSimulation",
            [
                "TestSupport", "GPSDSimulation", "LocationTesting", "LocwatchPlatform", "GPSDProtocol",
                "LocationCore", "LocwatchSupport",
            ]),
        tests(of: "LocationRecordingsOracle", ["TestSupport", "GPSDProtocol", "LocationCore", "CGPSD"]),
        tests(
            of: "CommandEndToEnd",
            [
                "TestSupport", "LocationPublishing", "LocationGPSD", "GPSDSimulation", "LocationTesting",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport", "locwatch",
            ]),
        tests(
            of: "LocwatchCommand",
            [
                "TestSupport", "LocwatchCommand", "LocwatchSession", "LocwatchPrinting", "LocwatchArguments",
                "LocwatchTerminal", "LocationGPSD", "GPSDSimulation", "LocationRecordingsTesting", "LocationTesting",
                "LocationTracks", "LocationPublishing", "LocationObservation", "GPSDProtocol",
                "LocwatchPlatform", "LocationCore", "LocwatchSupport",
            ],
            exclude: ["Golden", "validate.py"]),
        tests(
            of: "EndToEnd",
            [
                "TestSupport", "LocationGPSD", "GPSDSimulation", "LocationTracks", "LocationTesting",
                "GPSDProtocol", "LocwatchPlatform", "LocationCore", "LocwatchSupport", "locwatch-dev",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
