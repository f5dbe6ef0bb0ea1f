import Foundation
import Glibc
import LocwatchPlatform
import TestSupport
import Testing

/// A shell block of the README or of `Tests/Commands.md`, and the trial given in the comment before it.
struct ReadmeBlock: CustomTestStringConvertible {
    enum Trial: Equatable {
        /// The block ends by itself and succeeds.
        case run
        /// The block prints this text and is then ended by Ctrl-C.
        case interrupted(after: String)
        /// The block shows this text on a terminal and is then ended by Ctrl-C.
        case shown(until: String)
        /// The block runs silently for this number of seconds and is then ended by Ctrl-C.
        case timed(Int)
        /// `make check-release` runs it.
        case byCheckRelease
        /// The block cannot be run here, for the given reason.
        case notRun(String)
    }

    let script: String
    let trial: Trial?

    var testDescription: String { script }

    static let readme = blocks(of: "README.md")
    /// The blocks of the README, and then the further ones, which use the files that those of the README have made.
    static let all = readme + blocks(of: "Tests/Commands.md")

    private static func blocks(of page: String) -> [ReadmeBlock] {
        let text = try? String(contentsOf: Locwatch.package.appending(path: page), encoding: .utf8)
        let parts = (text ?? "").components(separatedBy: "```sh\n")
        return zip(parts, parts.dropFirst()).map { before, block in
            let comment = before.split(separator: "\n").last.map(String.init) ?? ""
            return ReadmeBlock(script: block.components(separatedBy: "\n```")[0], trial: trial(in: comment))
        }
    }

    private static func trial(in comment: String) -> Trial? {
        guard comment.hasPrefix("<!-- "), comment.hasSuffix(" -->") else { return nil }
        let text = comment.dropFirst(5).dropLast(4)
        if text == "run" { return .run }
        if text == "run by make check-release" { return .byCheckRelease }
        if text.hasPrefix("not run: ") { return .notRun(String(text.dropFirst(9))) }
        let time = text.components(separatedBy: " s, then Ctrl-C")
        if time.count == 2, time[1].isEmpty, time[0].hasPrefix("run for "), let seconds = Int(time[0].dropFirst(8)) {
            return .timed(seconds)
        }
        let words = text.components(separatedBy: "\"")
        guard words.count == 3, words[2] == ", then Ctrl-C" else { return nil }
        switch words[0] {
        case "run until ": return .interrupted(after: words[1])
        case "run in a terminal until ": return .shown(until: words[1])
        default: return nil
        }
    }
}

/// Runs the shell blocks of the README and the further ones in order in an empty folder, with a gpsd that has a fix.
@Suite(.serialized, .alone) struct ReadmeCommandsTests {
    @Test func `every shell block has a comment with its trial`() {
        #expect(ReadmeBlock.readme.count >= 10 && ReadmeBlock.all.count > ReadmeBlock.readme.count)
        for block in ReadmeBlock.all { #expect(block.trial != nil, "no comment before:\n\(block.script)") }
        #expect(ReadmeBlock.all.filter { if case .notRun = $0.trial { true } else { false } }.count <= 2)
    }

    @Test func `the commands of the README work in order`() async throws {
        let scratch = try Scratch()
        let daemon = try ServedWalk(in: scratch.url)
        let broker = try StartedBroker()
        let port = try LoopbackPort.free()
        for (number, block) in ReadmeBlock.all.enumerated() {
            // The addresses of the test's daemon and broker replace the hosts in the README.
            let script = block.script.replacing("pi.local", with: daemon.address)
                .replacing("broker.example", with: broker.address)
                .replacing("locwatch web", with: "locwatch web --port \(port)")
            switch block.trial {
            case .run:
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.ends(within: 60) == .exited(0), "\(script)\n\(shell.said)")
                #expect(!shell.output.isEmpty, "printed nothing: \(script)")
            case .interrupted(let text):
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.says(text, within: 30), "\(script)\n\(shell.said)")
                shell.interrupt()
                #expect(shell.ends(within: 10).isByInterrupt, "\(script)\n\(shell.said)")
            case .shown(let text):
                let window = try TerminalWindow(
                    "exec \(script)",
                    environment: ["LOCWATCH_SOURCE": daemon.address, "PATH": Shell.path])
                try await window.wait(for: text)
                try window.press("C-c")
                try await window.wait { !$0.contains(text) }
            case .timed(let seconds):
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.ends(within: seconds) == .tooLate, "\(script)\n\(shell.said)")
                shell.interrupt()
                #expect(shell.ends(within: 10).isByInterrupt, "\(script)\n\(shell.said)")
            case .byCheckRelease, .notRun, nil: break
            }
        }
        // The file that was logged silently exists.
        let log = try String(contentsOf: scratch.url.appending(path: "log.csv"), encoding: .utf8)
        #expect(log.hasPrefix("time,lat,lon") && log.contains("Z,45.0"), "\(log)")
    }
}

/// A gpsd that plays a recorded walk in a loop at its own port.
private final class ServedWalk {
    let address: String
    private let process = Process()

    init(in folder: URL) throws {
        let file = folder.appending(path: "serve")
        try Data().write(to: file)
        process.executableURL = URL(filePath: Locwatch.program)
        let session = Locwatch.package.appending(path: "Fixtures/walk/session.json").path
        process.arguments = ["serve", "--loop", "--redate", "--port", "\(try LoopbackPort.free())", session]
        process.standardError = try FileHandle(forWritingTo: file)
        try process.run()
        var told = ""
        for _ in 0..<400 where !told.contains("cgps ") {
            usleep(50_000)
            told = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
        let word = try #require(told.components(separatedBy: "cgps ").dropFirst().first, "no server: \(told)")
        address = word.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Debian's MQTT broker at a free port of this machine.
final class StartedBroker {
    let address: String
    private let process = Process()

    init() throws {
        let port = try LoopbackPort.free()
        address = "127.0.0.1:\(port)"
        process.executableURL = URL(filePath: "/usr/sbin/mosquitto")
        // Without a configuration only this machine can connect.
        process.arguments = ["-p", "\(port)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<400 {
            if let connection = try? LoopbackPort.connect(to: port) {
                close(connection)
                return
            }
            usleep(50_000)
        }
        Issue.record("mosquitto accepts no connection")
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A script in its own process group, created by Foundation, so that Ctrl-C also reaches the processes it started.
private final class Shell {
    enum Ending: Equatable {
        case exited(Int32), signalled(Int32), tooLate

        var isByInterrupt: Bool { self == .signalled(SIGINT) || self == .exited(128 + SIGINT) }
    }

    private let process = Process()
    private let files: [URL]

    init(_ script: String, _ source: String, name: String, in folder: URL) throws {
        files = ["out", "err"].map { folder.appending(path: "\(name).\($0)") }
        for file in files { try Data().write(to: file) }
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Foundation's child processes inherit the signal mask of the starting thread, which may block Ctrl-C; env
        // resets it.
        process.arguments = ["--default-signal", "bash", "-euo", "pipefail", "-c", script]
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = Self.path
        environment["LOCWATCH_SOURCE"] = source
        environment["XDG_STATE_HOME"] = folder.path
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
    }

    /// The folders of programs, with that of the built program first.
    static var path: String {
        let program = URL(filePath: Locwatch.program).deletingLastPathComponent().path
        return "\(program):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    }

    deinit { if process.isRunning { kill(-process.processIdentifier, SIGKILL) } }

    var output: String { (try? String(contentsOf: files[0], encoding: .utf8)) ?? "" }
    var said: String { output + ((try? String(contentsOf: files[1], encoding: .utf8)) ?? "") }

    func says(_ text: String, within seconds: Int) -> Bool { wait(seconds) { self.said.contains(text) } }

    func interrupt() { kill(-process.processIdentifier, SIGINT) }

    func ends(within seconds: Int) -> Ending {
        guard wait(seconds, until: { !self.process.isRunning }) else { return .tooLate }
        return process.terminationReason == .exit
            ? .exited(process.terminationStatus) : .signalled(process.terminationStatus)
    }

    private func wait(_ seconds: Int, until isTrue: () -> Bool) -> Bool {
        for _ in 0..<seconds * 20 where !isTrue() { usleep(50_000) }
        return isTrue()
    }
}
