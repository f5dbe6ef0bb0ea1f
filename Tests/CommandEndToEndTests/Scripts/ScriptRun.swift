import Foundation
import LocwatchPlatform
import TestSupport

/// A run of a script in a folder of its own, which is also its home.
///
/// The commands of a script:
///
/// | command | what it does |
/// |---|---|
/// | `exec LINE` | runs a line of bash, with the built `locwatch`, until it ends; fails unless its exit code is 0 |
/// | `exit CODE` | fails unless the line of the command before ends with this code |
/// | `stdout REGEX`, `stderr REGEX` | fails unless the line of the command before has printed a match; `-count=N` before it wants as many |
/// | `cmp NAME NAME` | fails unless two files are equal; `stdout` and `stderr` are those of the line before |
/// | `start LINE` | starts a line of bash |
/// | `until stdout REGEX` | waits for a match of the line that was started last, for `stderr` likewise; fails if it ends without one |
/// | `interrupt` | presses Ctrl-C; fails unless the line that was started last still runs and ends with code 130 |
/// | `env NAME=VALUE` | sets a variable of the lines that follow |
/// | `replace TEXT WITH` | puts another word in the place of one in the lines that follow, such as an address in that of a host |
/// | `port NAME` | sets a variable to a free port of this machine |
/// | `serve ARGUMENTS` | starts a stand-in of gpsd, whose address becomes `$GPSD` |
/// | `broker` | starts a mosquitto, whose address becomes `$BROKER` |
///
/// `! ` before `exec`, `stdout`, `stderr` or `cmp` wants the opposite. `tty ` before `exec` or `start` gives the line a terminal,
/// whose text without colours is its `stdout`. Variables are replaced in all commands, and `$FIXTURES` is the folder of that name. What a
/// script has started ends with it.
///
/// A section can begin with a line that repeats it, with something else in the place of the word `@`:
///
/// | line | what it does |
/// |---|---|
/// | `each WORDS \| WORDS` | repeats the section with each of them |
/// | `option NAME [VALUE]` | repeats it with this option, and with a configuration that has it; with neither, the section must fail |
/// | `argument NAME [VALUE]` | the same for an option that a configuration cannot have, or not for this command |
///
/// The runs of an option have a new folder each.
final class ScriptRun {
    /// The time that a line may take, and the end of its text that a failure shows.
    private static let (limit, shown) = (Duration.seconds(60), 2000)

    private let script: Script
    private let folder: Scratch
    private var environment: [String: String]
    private var replacements: [(text: String, new: String)] = []
    /// A line, whether it has a terminal, and its exit code if it has ended.
    private typealias Ran = (program: Locwatch, hasTerminal: Bool, code: Int32?)
    /// The line that the last command was about, and the one that was started last.
    private var last, background: Ran?
    /// The lines that end with the script.
    private var started: [Locwatch] = []
    private var broker: MosquittoServer?
    private var ports: [ReservedPort] = []

    private init(_ script: Script, environment: [String: String] = [:]) throws {
        self.script = script
        folder = try Scratch()
        for (name, text) in script.files { try folder.write(text, to: name) }
        self.environment = environment
        self.environment["HOME"] = folder.url.path
        // The programs of a script are its files.
        self.environment["PATH"] = "\(folder.url.path):\(Locwatch.path)"
    }

    /// Runs a script; throws its first failure.
    static func run(_ script: Script) async throws {
        let run = try ScriptRun(script)
        do { for section in script.sections { try await run.perform(section) } } catch {
            try await run.end()
            throw error
        }
        try await run.end()
    }

    // MARK: - Sections

    private func perform(_ section: [Script.Line]) async throws {
        let (head, rest) = (section[0], Array(section.dropFirst()))
        let (name, words) = head.parts
        switch name {
        case "each":
            for words in words.components(separatedBy: " | ") {
                for line in rest { try await perform(line, words: words) }
            }
        case "option", "argument":
            let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
            let option = expand("--\(parts[0])\(parts.count > 1 ? "='\(parts[1])'" : "")")
            if name == "option" { try await perform(rest, words: "", configuration: expand(words)) }
            try await perform(rest, words: option)
            do { try await perform(rest, words: "") } catch is ScriptFailure { return }
            throw ScriptFailure(line: head, reason: "the section succeeds without the option as well")
        default:
            for line in section { try await perform(line, words: "@") }
        }
    }

    /// Performs lines with an option, or with a configuration that has it, in a new folder.
    private func perform(_ lines: [Script.Line], words: String, configuration: String? = nil) async throws {
        let run = try ScriptRun(script, environment: environment)
        run.replacements = replacements
        if let configuration {
            run.environment["LOCWATCH_CONFIG"] = try run.folder.write("\(configuration)\n", to: "configuration").path
        }
        do { for line in lines { try await run.perform(line, words: words) } } catch {
            try await run.end()
            guard let failure = error as? ScriptFailure, let configuration else { throw error }
            throw ScriptFailure(
                line: failure.line, reason: "with the configuration: \(configuration)\n\(failure.reason)")
        }
        try await run.end()
    }

    /// Ends what the run has started.
    private func end() async throws {
        for program in started.reversed() {
            kill(-program.processID, SIGTERM)
            try await program.end(Self.limit)
        }
        for port in ports { close(port.descriptor) }
    }

    // MARK: - Commands

    private func perform(_ line: Script.Line, words: String) async throws {
        var text = line.text.replacing(/(^| )@(?= |$)/) { "\($0.1)\(words)" }
        let isNegated = text.hasPrefix("! ")
        if isNegated { text.removeFirst(2) }
        let hasTerminal = text.hasPrefix("tty ")
        if hasTerminal { text.removeFirst(4) }
        let (name, rest) = Script.Line(number: line.number, text: text).parts
        func require(_ isSo: Bool, _ reason: @autoclosure () -> String) throws {
            guard isSo == isNegated else { return }
            let ran = words == "@" ? "" : "with \(words.isEmpty ? "nothing" : words) for @: "
            throw ScriptFailure(line: line, reason: "\(ran)\(reason())\n\(report)")
        }
        switch name {
        case "exec":
            let program = try start(rest, hasTerminal: hasTerminal)
            let code = try await program.end(Self.limit)
            last?.code = code
            try require(code == 0, "the exit code is \(code)")
        case "start":
            started.append(try start(rest, hasTerminal: hasTerminal))
            background = last
        case "until":
            let parts = Script.Line(number: line.number, text: rest).parts
            guard let program = background?.program else { throw unknown(line) }
            last = background
            var length = -1
            try await program.wait(Self.limit) { program in
                if program.hasEnded { return true }
                // Look only at what has changed.
                let now = program.printedBytes
                defer { length = now }
                return now != length && (try? self.count(parts.rest, in: parts.name)) ?? 1 > 0
            }
            try require(count(parts.rest, in: parts.name) > 0, "the line has ended without a match")
        case "interrupt":
            guard let program = background?.program else { throw unknown(line) }
            last = background
            try require(!program.hasEnded, "the line has ended before")
            program.interrupt()
            let code = try await program.end(Self.limit)
            last?.code = code
            started.removeAll { $0 === program }
            try require(code == 128 + SIGINT, "the exit code is \(code)")
        case "exit":
            if let program = last?.program, last?.code == nil {
                last?.code = try await program.end(Self.limit)
                started.removeAll { $0 === program }
            }
            try require(last?.code == Int32(rest), "the exit code is \(last?.code ?? -1)")
        case "stdout", "stderr":
            let (expected, pattern) = Self.counted(rest)
            let found = try count(pattern, in: name)
            try require(expected.map { $0 == found } ?? (found > 0), "\(name) has \(found) matches")
        case "cmp":
            let names = rest.split(separator: " ").map(String.init)
            guard names.count == 2 else { throw unknown(line) }
            try require(file(names[0]) == file(names[1]), "\(names[0]) and \(names[1]) differ")
        case "env":
            let parts = rest.split(separator: "=", maxSplits: 1).map(String.init)
            environment[parts[0]] = parts.count > 1 ? expand(parts[1]) : ""
        case "replace":
            let parts = expand(rest).split(separator: " ", maxSplits: 1).map(String.init)
            replacements.append((parts[0], parts.count > 1 ? parts[1] : ""))
        case "port":
            let port = ReservedPort()
            ports.append(port)
            environment[rest] = String(port.number)
        case "serve":
            let server = try start("exec locwatch serve -q --port 0 --print-port \(rest)", hasTerminal: false)
            started.append(server)
            try await server.wait(Self.limit) { $0.output.hasSuffix("\n") || $0.hasEnded }
            try require(!server.hasEnded, "the stand-in has ended")
            environment["GPSD"] = "localhost:\(server.output.trimmingCharacters(in: .newlines))"
        case "broker":
            let server = try MosquittoServer()
            broker = server
            environment["BROKER"] = "127.0.0.1:\(server.port)"
        default: throw unknown(line)
        }
    }

    private func unknown(_ line: Script.Line) -> ScriptFailure {
        ScriptFailure(line: line, reason: "no command of a script, or not at this place")
    }

    private func start(_ line: String, hasTerminal: Bool) throws -> Locwatch {
        let words = replacements.reduce(line) { $0.replacingOccurrences(of: $1.text, with: $1.new) }
        let program = try Locwatch(
            words, screen: hasTerminal ? .terminal(columns: 80) : .pipes, environment: environment, folder: folder.url)
        last = (program, hasTerminal, nil)
        return program
    }

    // MARK: - What a line has printed

    private func printed(_ stream: String) -> String {
        guard let last else { return "" }
        guard last.hasTerminal else { return stream == "stderr" ? last.program.errors : last.program.output }
        return last.program.output
            .replacingOccurrences(of: #"\e\[[0-9;?]*[A-Za-z]|\r(?=\n)"#, with: "", options: .regularExpression)
    }

    private var report: String {
        ["output", "error"].map {
            "standard \($0):\n\(printed($0 == "error" ? "stderr" : "stdout").suffix(Self.shown))"
        }
        .joined(separator: "\n")
    }

    private func count(_ pattern: String, in stream: String) throws -> Int {
        let isQuoted = pattern.count > 1 && pattern.hasPrefix("'") && pattern.hasSuffix("'")
        let text = printed(stream)
        return try NSRegularExpression(
            pattern: expand(isQuoted ? String(pattern.dropFirst().dropLast()) : pattern), options: .anchorsMatchLines
        ).numberOfMatches(in: text, range: NSRange(text.startIndex..., in: text))
    }

    /// Returns the number of matches that a pattern wants, if any, and the pattern.
    private static func counted(_ words: String) -> (count: Int?, pattern: String) {
        guard let match = words.wholeMatch(of: /-count=(\d+) (.*)/) else { return (nil, words) }
        return (Int(match.1), String(match.2))
    }

    private func file(_ name: String) throws -> String {
        ["stdout", "stderr"].contains(name) ? printed(name) : try folder.text(name)
    }

    /// Replaces the variables that the script has set, and those that its lines have.
    private func expand(_ text: String) -> String {
        text.replacing(/\$([A-Z]+)/) { match in
            let name = String(match.1)
            return name == "FIXTURES" ? SampleRecording.fixtures : environment[name] ?? String(match.0)
        }
    }
}
