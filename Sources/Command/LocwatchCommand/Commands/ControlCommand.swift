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
        options: ["timeout"],
        isForTests: true,
        summary: "drive a 'serve --control PATH' from a test",
        description: [
            "Sends the words to the socket at PATH, and prints the answer: one line of JSON. The exit code is 65 if it is refused, with the "
                + "reason, and 69 if nothing listens there or there is no answer within --timeout. That time begins at the end of the "
                + "limit of 'wait', and a second for each minute of 'step' later. With 'at 5s' before a word, or @5s in a fault, "
                + "it is performed 5 s after it was sent."
        ],
        examples: [
            "locwatch control gps.sock wait clients 1": "until a client watches",
            "locwatch control gps.sock step 10m": "ten minutes pass",
            "locwatch control gps.sock move -33.86,151.21": "the receiver is elsewhere",
            "locwatch control gps.sock fault garbage=20/5s~7": "random bytes at random times",
            "locwatch control gps.sock requests": "what the clients have asked",
        ])

    private static let timeout = Duration.seconds(10)

    static func check(_ invocation: Invocation) throws(UsageError) {
        do throws(SimulationError) { _ = try StandInStep(command: line(of: invocation)) } catch {
            throw UsageError(error.reason.printable)
        }
    }

    private static func line(of invocation: Invocation) -> String { invocation.rest.joined(separator: " ") }

    static func run(_ session: CommandSession) -> ExitCode {
        let (invocation, context) = (session.invocation, session.context)
        let (path, line) = (invocation.word ?? "", line(of: invocation))
        let timeout = invocation.settings.limits.timeout ?? Self.timeout
        let limit = timeout + ((try? StandInStep(command: line))?.waitingTime ?? .zero)
        do throws(SystemFailure) {
            let connection = try ControlConnection(path, within: limit)
            _ = context.confine(.own([]))
            let answer = try connection.ask(line, until: context.signals)
            do throws(OutputFailure) { try context.console.print(answer.printable + "\n") } catch {
                context.narrator.sayFailure(error.message)
                return .writingFailed
            }
            return answer.hasPrefix(#"{"ok":true"#) ? .done : .badData
        } catch {
            if let number = CaughtSignals.first {
                context.die(number)
                return .done
            }
            let advice =
                switch error.code {
                case ENOENT, ECONNREFUSED:
                    "; start 'locwatch serve --control \(ShellWords.quoted(path)) …' first"
                // The queue of a server that accepts no connection is full.
                case EAGAIN, ETIMEDOUT: "; no answer within \(limit.spoken), for more use --timeout"
                default: ""
                }
            context.narrator.sayFailure("\(error)\(advice)")
            return ExitCode(connecting: error)
        }
    }
}

/// A connection to the control socket of a stand-in.
private final class ControlConnection {
    private static let longestAnswer = 1 << 23

    private let socket: Int32
    private let path: String
    private let deadline: ContinuousClock.Instant

    init(_ path: String, within limit: Duration) throws(SystemFailure) {
        self.path = path
        deadline = .now + limit
        socket = try UnixAddress.connect(to: path, within: limit)
    }

    deinit { close(socket) }

    /// Sends a line and returns the answer; throws at the time limit, and if a signal comes before.
    func ask(_ line: String, until signals: Event) throws(SystemFailure) -> String {
        let bytes = Array("\(line)\n".utf8)
        guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw failure(errno) }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while answer.last != UInt8(ascii: "\n") {
            let left = max(.zero, deadline - .now)
            let watched = PollSet.wait(for: [socket, signals.descriptor], within: left)
            if watched.isReady(signals.descriptor) { throw failure(EINTR) }
            guard watched.isReady(socket) else {
                if left == .zero { throw failure(ETIMEDOUT) }
                continue
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { throw failure(count == 0 ? ECONNRESET : errno) }
            answer += chunk.prefix(count)
            guard answer.count <= Self.longestAnswer else { throw failure(EMSGSIZE) }
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    private func failure(_ code: Int32) -> SystemFailure { SystemFailure("drive \(path)", code: code) }
}
