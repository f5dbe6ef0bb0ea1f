import Foundation
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
        /// `ExampleTests` runs each line of the block.
        case oneByOne
        /// A check of the release runs the block.
        case byMake
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
        guard let text = comment.wholeMatch(of: /<!-- (.*) -->/)?.1 else { return nil }
        if text == "run" { return .run }
        if text == "run one by one" { return .oneByOne }
        if ["run by make check-release", "run by make check-dist"].contains(text) { return .byMake }
        if let run = text.wholeMatch(of: /run for (\d+) s, then Ctrl-C/) { return Int(run.1).map { Trial.timed($0) } }
        guard let run = text.wholeMatch(of: /run (in a terminal )?until "([^"]*)", then Ctrl-C/) else { return nil }
        return run.1 == nil ? .interrupted(after: String(run.2)) : .shown(until: String(run.2))
    }
}

/// Runs the shell blocks of the README and the further ones in order in an empty folder, with a gpsd that has a fix; `ExampleTests`
/// has the commands within its text.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct ReadmeCommandsTests {
    @Test func `every shell block has a comment with its trial`() {
        #expect(ReadmeBlock.readme.count >= 5 && ReadmeBlock.all.count > ReadmeBlock.readme.count)
        for block in ReadmeBlock.all { #expect(block.trial != nil, "no comment before:\n\(block.script)") }
    }

    @Test func `the blocks of commands work in order`() async throws {
        let scratch = try Scratch()
        let (server, served) = try await Locwatch.serving("--loop --redate $FIXTURES/walk/session.json")
        let broker = try MosquittoServer()
        let (gpsd, port) = ("localhost:\(served)", ReservedPort().number)
        let environment = ["PATH": Locwatch.path, "LOCWATCH_SOURCE": gpsd, "XDG_STATE_HOME": scratch.url.path]
        for block in ReadmeBlock.all {
            // The addresses of the test's daemon and broker replace the hosts in the README.
            let script = block.script.replacing("pi.local", with: gpsd)
                .replacing("broker.example", with: "127.0.0.1:\(broker.port)")
                .replacing("locwatch web", with: "locwatch web --port \(port)")
            func start() throws -> Locwatch {
                try Locwatch("set -euo pipefail\n\(script)", environment: environment, folder: scratch.url)
            }
            func interrupt(_ shell: Locwatch) async throws {
                shell.interrupt()
                #expect(try await shell.end() == 128 + SIGINT, "\(script)\n\(shell.errors)")
            }
            switch block.trial {
            case .run:
                let shell = try start()
                #expect(try await shell.end(.seconds(60)) == 0, "\(script)\n\(shell.errors)")
                #expect(!shell.output.isEmpty, "printed nothing: \(script)")
            case .interrupted(let text):
                let shell = try start()
                try await shell.wait { ($0.output + $0.errors).contains(text) }
                try await interrupt(shell)
            case .shown(let text):
                let window = try TerminalWindow("exec \(script)", environment: environment)
                try await window.wait(for: text)
                try window.press("C-c")
                try await window.wait { !$0.contains(text) }
            case .timed(let seconds):
                let shell = try start()
                try await Task.sleep(for: .seconds(seconds))
                #expect(RunningProcess(shell.processID).isRunning, "\(script)\n\(shell.errors)")
                try await interrupt(shell)
            case .oneByOne, .byMake, nil: break
            }
        }
        // The file that was logged silently exists.
        let log = try scratch.text("log.csv")
        #expect(log.hasPrefix("time,lat,lon") && log.contains("Z,45.0"), "\(log)")
        try await server.stop()
    }
}
