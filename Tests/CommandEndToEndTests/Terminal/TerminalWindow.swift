import Foundation
import TestSupport

/// A window of a real terminal multiplexer, tmux, in which a shell runs; it is closed when the value is released.
final class TerminalWindow {
    private let folder: Scratch
    private let socket: String

    /// Opens a window that runs a shell line, with `$LW` and `$FIXTURES` as in `Locwatch`.
    init(_ line: String, environment: [String: String] = [:]) throws {
        folder = try Scratch()
        socket = folder.url.appending(path: "tmux").path
        var variables = [
            "LANG": "C.UTF-8", "TZ": "UTC", "PS1": "shell> ", "SWIFT_BACKTRACE": "enable=no", "LW": Locwatch.program,
        ]
        variables["FIXTURES"] = SampleRecording.fixtures
        variables.merge(environment) { $1 }
        let words = variables.map { "\($0.key)='\($0.value)'" }.sorted().joined(separator: " ")
        // Foundation waits for every process that has inherited its descriptors, and the server of tmux never ends.
        let closing =
            Locwatch.closing
            // A server that has inherited a blocked SIGTERM could not be ended.
            + #"; exec env --default-signal "$@""#
        _ = try Tool(
            "bash",
            [
                "-c", closing, "bash", "tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "80",
                "-y", "24", "-c", folder.url.path, "env \(words) bash --norc --noprofile -c '\(line)'",
            ])
        // The size stays when no client is attached.
        try run("set-option", "-g", "window-size", "manual")
    }

    deinit { _ = try? Tool("tmux", ["-S", socket, "kill-server"]) }

    /// The folder in which the shell runs.
    var url: URL { folder.url }

    @discardableResult
    private func run(_ arguments: String...) throws -> String {
        try Tool("tmux", ["-S", socket] + arguments).output
    }

    /// The text that the window shows.
    func screen() throws -> String { try run("capture-pane", "-p") }

    /// A property of the window, by tmux's name, such as `alternate_on`.
    func property(_ name: String) throws -> String {
        try run("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Presses keys, by tmux's names.
    func press(_ keys: String...) throws { for key in keys { try run("send-keys", key) } }

    func resize(columns: Int, rows: Int) throws {
        try run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Waits until the screen fulfils a condition, and returns it.
    @discardableResult
    func wait(_ limit: Duration = .seconds(300), until isSo: (String) -> Bool) async throws -> String {
        var text = ""
        // Each look starts a program.
        let isShown = try await Locwatch.holds(within: limit, pause: .milliseconds(50)) {
            text = try screen()
            return isSo(text)
        }
        guard isShown else { throw Late(screen: text) }
        return text
    }

    @discardableResult
    func wait(for text: String) async throws -> String { try await wait { $0.contains(text) } }

    /// Waits for a file that the shell line writes, and returns its text.
    func file(_ name: String) async throws -> String {
        try await wait { _ in
            ((try? Data(contentsOf: url.appending(path: name)))?.count ?? 0) > 0
        }
        return try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }

    struct Late: Error, CustomStringConvertible {
        let screen: String
        var description: String { "timed out; the screen shows:\n\(screen)" }
    }
}
