import Foundation
import LocationCore
import LocationTesting
import Testing

@testable import fence

struct FenceRunnerTests {
    @Test func `arriving and leaving run the command`() async throws {
        let runner = try #require(FenceRunner(arguments: ["45.0548", "7.6865", "150", "notify-send", "My gate"]))
        let source = ScriptedLocationSource(
            [.location(45.06, 7.6865), .location(45.0548, 7.6865), .location(45.06, 7.6865), .end],
            clock: ManualClock())
        var commands: [[String]] = []
        try await runner.run(source) { commands.append($0) }
        #expect(commands == [["notify-send", "My gate", "enter"], ["notify-send", "My gate", "exit"]])
    }

    @Test(arguments: [
        ["45", "7", "150"], ["91", "7", "150", "true"], ["45", "7", "-1", "true"], ["x", "7", "1", "true"],
    ])
    func `wrong arguments are refused`(arguments: [String]) {
        #expect(FenceRunner(arguments: arguments) == nil)
    }

    @Test func `a program receives its arguments without a shell`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "fence $HOME; \(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try launch(["touch", path])
        try await eventually("the file") {
            FileManager.default.fileExists(atPath: path)
        } is: {
            $0
        }
    }

    @Test func `a program that does not exist is an error`() {
        #expect(throws: LaunchError(program: "/no/such/program", code: ENOENT)) { try launch(["/no/such/program"]) }
    }
}
