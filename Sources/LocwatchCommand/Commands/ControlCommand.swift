import GPSDSimulation
import Glibc
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `control`, which drives a `serve --control PATH` from a test.
enum ControlCommand: Command {
    static let entry = CommandEntry(
        "control",
        operands: [
            .required("PATH", .file),
            .rest("WORD...", StandInWord.all.map { ($0.usage, $0.meaning) }),
        ],
        summary: "drive a 'serve --control PATH' from a test",
        description: [
            "Sends the words to the socket at PATH, and prints the answer: one line of JSON. The exit code is 65 if it is refused, with the "
                + "reason, and 69 if nothing listens there. 'locwatch help faults' describes the faults and scripts. "
                + "With 'at 5s' before a word, or @5s in a fault, it is performed 5 s after it was sent."
        ],
        examples: [
            .init(line: "locwatch control gps.sock wait clients 1", explanation: "until a client watches"),
            .init(line: "locwatch control gps.sock step 1h", explanation: "an hour passes"),
            .init(line: "locwatch control gps.sock move -33.86,151.21", explanation: "the receiver is elsewhere"),
            .init(line: "locwatch control gps.sock fault garbage=20/5s~7", explanation: "random bytes at random times"),
            .init(line: "locwatch control gps.sock requests", explanation: "what the clients have asked"),
        ])

    static func check(_ invocation: Invocation) throws(UsageError) {
        do throws(StandInSyntaxError) { _ = try StandInStep(command: invocation.rest.joined(separator: " ")) } catch {
            throw UsageError(error.reason.printable, command: invocation.command)
        }
    }

    static func run(_ invocation: Invocation, _ context: CommandContext) -> ExitCode {
        let path = invocation.word ?? ""
        do throws(SystemFailure) {
            let connection = try ControlConnection(path)
            guard let answer = try connection.ask(invocation.rest.joined(separator: " "), until: context.signals) else {
                context.die(CaughtSignals.first ?? SIGTERM)
                return .done
            }
            do throws(OutputFailure) { try context.console.print(answer.printable + "\n") } catch {
                context.console.say("locwatch: \(error.message)\n")
                return .writingFailed
            }
            return answer.hasPrefix(#"{"ok":true"#) ? .done : .notASession
        } catch {
            let advice =
                [ENOENT, ECONNREFUSED].contains(error.code)
                ? "; start 'locwatch serve --control \(ShellWords.quoted(path)) …' first" : ""
            context.console.say("locwatch: \(error.description.printable)\(advice)\n")
            return ExitCode(listening: error)
        }
    }
}

/// A connection to the control socket of a stand-in.
private final class ControlConnection {
    private static let longestAnswer = 1 << 23

    private let socket: Int32
    private let path: String

    init(_ path: String) throws(SystemFailure) {
        self.path = path
        socket = try UnixAddress.connect(to: path)
    }

    deinit { close(socket) }

    /// Sends a line and returns the answer, or `nil` if a signal came before.
    func ask(_ line: String, until signals: Event) throws(SystemFailure) -> String? {
        let bytes = Array("\(line)\n".utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw failure(errno) }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while answer.last != UInt8(ascii: "\n") {
            var watched = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, -1) > 0 else { continue }
            if watched[1].revents != 0 { return nil }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { throw failure(count == 0 ? ECONNRESET : errno) }
            answer += chunk.prefix(count)
            guard answer.count <= Self.longestAnswer else { throw failure(EMSGSIZE) }
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    private func failure(_ code: Int32) -> SystemFailure { SystemFailure("drive \(path)", code: code) }
}
