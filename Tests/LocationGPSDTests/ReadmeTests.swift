import Foundation
import LocationCore
import LocationGPSD
import LocationTesting
import Testing

func follow(_ provider: some LocationProvider = GPSDLocationSource()) async throws {
    for try await next in provider.tracked() {
        switch next {
        case .transition(let change): print(change.reason.code, "after", change.lasted)
        case .update(let update):
            if case .location(let here) = update.event { print(here.coordinate, here.horizontalAccuracy ?? .nan) }
        case .deviceTransition, .handover: break  // for machines with several receivers
        }
    }
}

func whereAmI(_ provider: some LocationProvider) async -> String {
    do throws(LocationError) {
        let here = try await provider.current(accuracy: 20, maxAge: .seconds(5), within: .seconds(30))
        return "\(here.coordinate.latitude), \(here.coordinate.longitude)"
    } catch {
        switch error {
        case .noFix(.tooCoarse(let best, _)): return "only to \(best.horizontalAccuracy ?? .infinity) m"
        case .unreachable(let host, let port, let cause): return "no gpsd at \(host):\(port): \(cause)"
        default: return "no position: \(error.code)"
        }
    }
}

func watch(_ provider: some LocationProvider) -> LocationCoordinator {
    let coordinator = LocationCoordinator(provider, for: LocationRequest(distanceFilter: 10))
    coordinator.onUpdate = { print("at", $0.coordinate) }
    coordinator.onFailure = { print("failed:", $0.code) }
    coordinator.onStateChange = { print($0.reason.code) }
    coordinator.start()  // and stop() when it is enough: no callback begins after it has returned
    return coordinator
}

/// Tests that compare the functions above with those in the README, and run them.
@Suite struct ReadmeTests {
    private static let turin = Location(
        coordinate: Coordinate(latitude: 45.07, longitude: 7.68),
        timestamp: .testEpoch, horizontalAccuracy: 5)

    private static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    private static func blocks() throws -> [String] {
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        return readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    private static func isManifest(_ block: String) -> Bool { block.hasPrefix("// swift-tools-version") }

    @Test func `the Package.swift of the README finds its products in a clone beside it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "locwatch-readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = folder.appending(path: "whereabouts/Sources/whereabouts")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "locwatch"), withDestinationURL: Self.root)
        try Data("import LocationGPSD\n".utf8).write(to: sources.appending(path: "main.swift"))
        let manifests = try Self.blocks().filter(Self.isManifest)
        let manifest = try #require(manifests.first)
        #expect(manifests.count == 1)
        try Data(manifest.utf8).write(to: folder.appending(path: "whereabouts/Package.swift"))
        let swift = Process()
        swift.executableURL = URL(filePath: "/usr/bin/env")
        // The command fails if a package lacks a product that another one names.
        swift.arguments = [
            "swift", "package", "--package-path", folder.appending(path: "whereabouts").path, "show-dependencies",
        ]
        let output = Pipe()
        swift.standardOutput = output
        swift.standardError = output
        try swift.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        swift.waitUntilExit()
        #expect(swift.terminationStatus == 0, "\(said)")
        #expect(said.contains("locwatch"), "\(said)")
    }

    @Test func `every other Swift block of the README is in this file`() throws {
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        let blocks = try Self.blocks().filter { !Self.isManifest($0) }
        #expect(blocks.count >= 3)
        for block in blocks {
            let code = block.split(separator: "\n", omittingEmptySubsequences: false).filter {
                !$0.hasPrefix("import ")
            }
            .joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(here.contains(code), "not in this file:\n\(code)")
        }
    }

    @Test func `following a provider ends with its session`() async throws {
        try await follow(ScriptedLocationSource([.location(Self.turin), .end]))
    }

    @Test func `a single request returns the position`() async {
        #expect(await whereAmI(ScriptedLocationSource([.location(Self.turin), .hang])) == "45.07, 7.68")
    }

    @Test func `a single request without a result returns the cause`() async {
        var here = Self.turin
        here.horizontalAccuracy = 90
        #expect(await whereAmI(ScriptedLocationSource([.location(here), .end])) == "only to 90.0 m")
        let refused = LocationError.unreachable(host: "localhost", port: "2947", cause: "refused")
        #expect(
            await whereAmI(ScriptedLocationSource([.endThrowing(refused)])) == "no gpsd at localhost:2947: refused")
    }

    @Test func `a coordinator can be stopped`() {
        let coordinator = watch(ScriptedLocationSource([.location(Self.turin), .hang]))
        coordinator.stop()
        #expect(coordinator.state == .searching(.starting))
    }
}
