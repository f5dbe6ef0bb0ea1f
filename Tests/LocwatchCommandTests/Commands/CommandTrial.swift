import Foundation
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// A command that runs in memory over a provider of the test, with unnamed files as streams and without processes.
///
/// Without a provider it opens the source that its arguments name, for commands that read a recording.
struct CommandTrial {
    /// The outcome of a command.
    struct Result: Hashable, Sendable {
        var code = ExitCode.done
        /// The exit status of the program.
        var status: Int32 { code.rawValue }
        var output = ""
        var errors = ""

        var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

        func lines(with part: String) -> [String] { lines.filter { $0.contains(part) } }

        /// The lines as JSON objects.
        func objects() throws -> [[String: Any]] {
            try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        }

        func objects(_ event: String) throws -> [[String: Any]] {
            try objects().filter { $0["event"] as? String == event }
        }

        /// The texts of some keys in each object of an event.
        func texts(_ event: String, _ keys: String...) throws -> [String] {
            try objects(event).map { object in keys.compactMap { object[$0] as? String }.joined(separator: " ") }
        }

        /// The event, the reason and the code of each line of JSON.
        func words() throws -> [String] {
            try objects().map { object in
                [object["event"], object["reason"], object["code"]].compactMap { $0 as? String }.joined(separator: " ")
            }
        }
    }

    /// The provider; without one, commands open the recordings that they name, on the system's clock.
    var provider: (any LocationProvider)?
    /// A clock that advances to the next deadline whenever everything sleeps on it; the provider must use it too.
    var clock: ManualClock?
    var environment: [String: String] = [:]
    var machine: any ExaminedMachine & Sendable = PretendedMachine()
    /// The error with which opening the source fails.
    var openingFailure: LocationError?
    /// The parts of the confinement that are said to hold, although tests are not confined.
    var confinement: ConfinementParts = []
    /// The width of both streams, as if they were terminals.
    var columns: Int?
    var localTime = LocalTime.utc
    /// The text of standard input, for what is not the source.
    var input = ""
    /// The terminal for whole screens, if there is one.
    var terminal: FakeTerminal?
    /// A command that runs in place of the one that the arguments name.
    var command: (any Command.Type)?

    /// Runs a command over a script that plays on a manual clock.
    ///
    /// - Parameter command: A command that runs in place of the one that the line names, whose options it takes.
    static func run(
        _ line: String, _ script: [ScriptStep], columns: Int? = nil, localTime: LocalTime = .utc,
        terminal: FakeTerminal? = nil, as command: (any Command.Type)? = nil
    ) async throws -> Result {
        let clock = ManualClock()
        return try await CommandTrial(
            provider: ScriptedLocationSource(script, clock: clock), clock: clock, columns: columns,
            localTime: localTime, terminal: terminal, command: command
        ).run(line)
    }

    /// Runs a command line over a file with a text, whose path takes the place of `@`.
    static func run(
        _ line: String, reading text: String, as name: String = "drive.json", terminal: FakeTerminal? = nil
    ) async throws -> Result {
        let scratch = try Scratch()
        let words = line.replacing("@", with: try scratch.write(text, to: name).path)
        return try await CommandTrial(terminal: terminal).run(words)
    }

    /// Runs a command line without the program's name, whose words are separated by spaces; `$FIXTURES` is their folder.
    func run(_ line: String) async throws -> Result {
        let words = line.split(separator: " ").map(String.init)
        return try await run(words.map { $0.replacing("$FIXTURES", with: SampleRecording.fixtures) })
    }

    func run(_ arguments: [String]) async throws -> Result {
        guard let clock = clock ?? provider.map({ _ in ManualClock() }) else { return try await start(arguments, nil) }
        return try await TrialClocks.shared.drive(clock, provider as? ScriptedLocationSource) {
            try await start(arguments, clock)
        }
    }

    /// Runs the command on a separate thread, because it blocks.
    private func start(_ arguments: [String], _ clock: ManualClock?) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try NativeThread.start { continuation.resume(with: Swift.Result { try perform(arguments, clock) }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func perform(_ arguments: [String], _ clock: ManualClock?) throws -> Result {
        let (output, errors) = (try MemoryFile(), try MemoryFile())
        let input = try MemoryInput(Array(input.utf8))
        let environment = environment.merging(["LANG": "C.UTF-8"]) { given, _ in given }
        var context = try CommandContext(environment: environment, machine: machine)
        context.console = Console(
            output: output.descriptor, error: errors.descriptor, environment: environment, columns: columns)
        context.openTerminal = { [terminal] _ in terminal }
        context.confine = { [confinement] _ in confinement }
        if let clock { context.clock = clock.sessionClock() }
        context.localTime = localTime
        context.input = input.descriptor
        context.die = { Issue.record("the command ends the program by signal \($0)") }
        let (provider, openingFailure) = (provider, openingFailure)
        if let provider {
            context.open = { (_, _, _) throws(LocationError) in
                if let openingFailure { throw openingFailure }
                return provider
            }
        }
        let code =
            try command.map { $0.run(CommandSession(try Invocation.parse(arguments) { _ in false }, context)) }
            ?? Program.run(arguments, context)
        return Result(code: code, output: output.text, errors: errors.text)
    }
}

/// An unnamed file in memory for output.
struct MemoryFile {
    private let file: MemoryInput

    init() throws { file = try MemoryInput([]) }

    var descriptor: Int32 { file.descriptor }

    /// The written text.
    var text: String {
        let written = try? Data(contentsOf: URL(filePath: "/proc/self/fd/\(descriptor)"))
        return String(decoding: written ?? Data(), as: UTF8.self)
    }
}
