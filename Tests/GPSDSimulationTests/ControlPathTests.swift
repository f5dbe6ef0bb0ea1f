import Glibc
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import GPSDSimulation

/// The paths of the control socket and of the serial line.
struct ControlPathTests {
    private let folder: Scratch
    private var path: String { folder.path("control") }
    private var line: String { folder.path("line") }

    init() throws { folder = try Scratch() }

    /// Returns a stand-in with a control socket and a serial line, and the messages that it says.
    private func standIn() throws -> (StandInGPSD, EventLog<String>) {
        let said = EventLog<String>()
        var settings = StandInGPSD.Settings()
        settings.clock = .manual
        (settings.control, settings.terminal) = (path, line)
        settings.pathInterval = .milliseconds(10)
        let standIn = try StandInGPSD(serving: StandInRecording(.standstill), settings, say: { said.append($0) })
        return (standIn, said)
    }

    /// Returns the kind and the permissions of an entry; 0 without one.
    private func mode(_ path: String) -> UInt32 {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & (S_IFMT | 0o777) : 0
    }

    @Test func `the socket is the user's own, and both paths are removed at the end`() throws {
        let (standIn, _) = try standIn()
        #expect(mode(path) == S_IFSOCK | 0o600)
        standIn.stop()
        #expect(folder.names == [])
    }

    @Test func `the socket and the serial line are made again when they are removed, and their users go on`()
        async throws
    {
        let (standIn, said) = try standIn()
        let client = try SocketClient(path: path)
        let reader = open(line, O_RDONLY | O_NOCTTY)
        defer { close(reader) }
        // A connection that was not accepted yet would end with the removed socket.
        #expect(client.ask("step 1s") == #"{"ok":true,"time":1}"#)
        #expect(unlink(path) == 0 && unlink(line) == 0)
        try await said.wait(for: "both messages") { $0.count == 2 }
        // A look can come between the two removals.
        #expect(said.events.sorted() == [path, line].map { "\($0) was removed, and was made again" })
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":2}"#)
        #expect(client.ask("step 1s") == #"{"ok":true,"time":3}"#)
        var byte: UInt8 = 0
        #expect(mode(line) != 0 && PollSet.wait(for: reader, within: .seconds(60)) && read(reader, &byte, 1) == 1)
        standIn.stop()
        #expect(folder.names == [])
    }

    @Test func `what another program puts at the paths is said once and kept, until it is gone`() async throws {
        let (standIn, said) = try standIn()
        func replace(_ path: String) throws {
            // In one step, so that no look finds the path free.
            try folder.write("mine", to: "new")
            #expect(rename(folder.path("new"), path) == 0)
        }
        func remove(_ name: String) throws {
            #expect(try folder.text(name) == "mine")
            unlink(folder.path(name))
        }
        // Each look begins with the socket, so that each message but the last one ends a whole look at the other path.
        let steps: [(change: () throws -> Void, message: String)] = [
            ({ try replace(path) }, "\(path) was replaced: cannot make a socket at \(path): File exists"),
            ({ try replace(line) }, "\(line) was replaced: cannot make a terminal at \(line): File exists"),
            ({ try remove("control") }, "\(path) was removed, and was made again"),
            ({ try replace(path) }, "\(path) was replaced: cannot make a socket at \(path): File exists"),
            ({ try remove("line") }, "\(line) was removed, and was made again"),
            ({ try remove("control") }, "\(path) was removed, and was made again"),
        ]
        for (index, step) in steps.enumerated() {
            try step.change()
            let messages = try await said.wait(for: "message \(index)") { $0.count > index }
            #expect(messages == steps[...index].map { $0.message })
        }
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        standIn.stop()
    }

    @Test func `a second stand-in takes neither the socket nor the serial line of the first, and removes neither`()
        throws
    {
        let (first, _) = try standIn()
        #expect(chmod(line, 0o660) == 0, "as gpsd changes the mode of a terminal")
        #expect(throws: LocationError.self) { try stepped { $0.control = path } }
        #expect(throws: LocationError.self) { try stepped { $0.terminal = line } }
        #expect(mode(line) != 0)
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        first.stop()
    }
}
