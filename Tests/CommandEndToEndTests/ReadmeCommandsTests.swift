import Foundation
import Glibc
import LocwatchPlatform
import Testing

/// What stands in the README for a shell to do, and how the comment before it says that it is tried.
struct ReadmeBlock: CustomTestStringConvertible {
    enum Trial: Equatable {
        /// It ends by itself, and well.
        case run
        /// It shows this, and ends by Ctrl-C.
        case interrupted(after: String)
        /// It works in silence for so many seconds, and ends by Ctrl-C.
        case timed(Int)
        /// `make check-release` runs it.
        case byCheckRelease
        /// It cannot be run here, for a reason.
        case notRun(String)
    }

    let script: String
    let trial: Trial?

    var testDescription: String { script }

    static let all: [ReadmeBlock] = {
        let readme = try? String(contentsOf: Locwatch.package.appending(path: "README.md"), encoding: .utf8)
        let parts = (readme ?? "").components(separatedBy: "```sh\n")
        return zip(parts, parts.dropFirst()).map { before, block in
            let comment = before.split(separator: "\n").last.map(String.init) ?? ""
            return ReadmeBlock(script: block.components(separatedBy: "\n```")[0], trial: trial(in: comment))
        }
    }()

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
        guard words.count == 3, words[0] == "run until ", words[2] == ", then Ctrl-C" else { return nil }
        return .interrupted(after: words[1])
    }
}

/// Runs the README line by line as a reader would, in an empty folder, with a gpsd that has something to tell.
@Suite(.serialized) struct ReadmeCommandsTests {
    @Test func `every block for a shell says how it is tried`() {
        #expect(ReadmeBlock.all.count >= 10)
        for block in ReadmeBlock.all { #expect(block.trial != nil, "no comment before:\n\(block.script)") }
        #expect(ReadmeBlock.all.filter { if case .notRun = $0.trial { true } else { false } }.count <= 2)
    }

    @Test func `the commands of the README work, one after the other`() throws {
        let scratch = try Scratch()
        let daemon = try ServedWalk(in: scratch.url)
        for (number, block) in ReadmeBlock.all.enumerated() {
            // The host that only a reader has is the one that this test has.
            let script = block.script.replacing("pi.local", with: daemon.address)
            switch block.trial {
            case .run:
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.ends(within: 60) == .exited(0), "\(script)\n\(shell.said)")
                #expect(!shell.output.isEmpty, "said nothing: \(script)")
            case .interrupted(let text):
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.says(text, within: 30), "\(script)\n\(shell.said)")
                shell.interrupt()
                #expect(shell.ends(within: 10).isByInterrupt, "\(script)\n\(shell.said)")
            case .timed(let seconds):
                let shell = try Shell(script, daemon.address, name: "\(number)", in: scratch.url)
                #expect(shell.ends(within: seconds) == .tooLate, "\(script)\n\(shell.said)")
                shell.interrupt()
                #expect(shell.ends(within: 10).isByInterrupt, "\(script)\n\(shell.said)")
            case .byCheckRelease, .notRun, nil: break
            }
        }
        // What was logged in silence is there.
        let log = try String(contentsOf: scratch.url.appending(path: "log.csv"), encoding: .utf8)
        #expect(log.hasPrefix("time,lat,lon") && log.contains("Z,45.0"), "\(log)")
    }
}

/// A gpsd at a port of its own, which plays a recorded walk for ever.
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

/// A script in the process group of its own that Foundation gives it, so that Ctrl-C reaches what it started as well.
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
        let program = URL(filePath: Locwatch.program).deletingLastPathComponent().path
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Foundation's children have the mask of the thread that starts them, which may hold Ctrl-C back: env lifts it.
        process.arguments = ["--default-signal", "bash", "-euo", "pipefail", "-c", script]
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(program):\(environment["PATH"] ?? "/usr/bin:/bin")"
        environment["LOCWATCH_SOURCE"] = source
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
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
