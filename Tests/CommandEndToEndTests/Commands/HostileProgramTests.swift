import Foundation
import LocwatchPlatform
import TestSupport
import Testing

/// A hostile program in place of each child, as if an input, a receiver or a server had taken the child over.
@Suite(
    .serialized, .withFew,
    .enabled(if: ConfinementParts.available == .all, "this kernel lacks parts of the confinement"))
struct HostileProgramTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let track = Locwatch.package.appending(path: "Tests/Tracks/gdal.gpx").path
    private static let none = "0 of 84 attempts succeeded"
    private static let ended = "gpsd ended at once with code 3: \(none)"

    private func run(_ name: String, _ line: String) async throws -> (code: Int32, errors: String) {
        let program = try HostileProgram(named: name)
        let sentence = "$GPGGA,120000.00,4812.0,N,01622.0,E,1,08,0.9,200.0,M,40.0,M,,*59\r\n"
        try scratch.write(String(repeating: sentence, count: 9), to: "drive.nmea")
        let pack = try Tool("sh", ["-c", "gzip -k drive.nmea; xz -k drive.nmea; zstd -qk drive.nmea"], in: scratch.url)
        try #require(pack.status == 0)
        let run = try await Locwatch.run("PATH=\(program.folder):/usr/bin:/bin; $LW \(line)", folder: scratch.url)
        #expect(try program.hasAchievedNothing)
        #expect(!run.output.contains(HostileProgram.secret))
        return (run.code, run.errors)
    }

    @Test(
        arguments: [
            ("gzip", "stats drive.nmea.gz", 65, "gzip: \(none)"), ("xz", "stats drive.nmea.xz", 65, "xz: \(none)"),
            ("zstd", "stats drive.nmea.zst", 65, "zstd: \(none)"), ("gpsd", "stats drive.nmea", 69, ended),
            ("gpsd", "once sim:walk", 69, ended),
            // A stream has one socket, without a way to another port.
            ("gpsd", "once -t 5s tcp://127.0.0.1:65000", 69, "65000"),
            ("gpsd", "once -t 5s udp://127.0.0.1:65000", 69, "65000"),
            ("gpsd", "once -t 5s ntrip://127.0.0.1:65000/MOUNT", 69, "65000"),
        ] as [(String, String, Int32, String)])
    func `a hostile decoder or gpsd achieves nothing, and the command says what became of it`(
        name: String, line: String, code: Int32, words: String
    ) async throws {
        let run = try await run(name, line)
        #expect(run.code == code)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    /// Returns the attempts that succeeded, of all that were made.
    private static func successes(_ errors: String) throws -> [String] {
        let lines = errors.split(whereSeparator: \.isNewline).filter { !$0.contains("locwatch: ") }
        let attempts = lines.map { line in
            let words = line.split(separator: " ")
            return (name: words.dropLast().joined(separator: " "), result: words.last.map(String.init) ?? "")
        }
        try #require(attempts.count { $0.result == "done" || $0.result.hasPrefix("E") } >= 75, "\(errors)")
        return attempts.filter { $0.result == "done" }.map(\.name)
    }

    /// The attempts that succeed where a command has connections, which are not confined to a port.
    private static let connecting = [
        "open a TCP socket", "listen at a port", "open a UDP socket", "send a message", "use 4 GB",
    ]

    /// It can still make the connections that the command is for.
    @Test(arguments: [
        ("libexpat.so.1", "stats", ["use 4 GB"]), ("libexpat.so.1", "watch --pace max", ["use 4 GB"]),
        ("libexpat.so.1", "once", ["use 4 GB"]),
        ("libcurl.so.4", "publish http://127.0.0.1:9 --queue queue", connecting),
        ("libmosquitto.so.1", "publish mqtt://127.0.0.1:9/a --queue queue", connecting),
    ])
    func `a library that is taken over reads no file of the user, and writes beside the queue only`(
        name: String, command: String, successes: [String]
    ) async throws {
        let library = try HostileProgram(named: name, as: .library)
        let run = try await Locwatch.run(
            "export PATH=\(library.folder):/usr/bin:/bin; LD_LIBRARY_PATH=\(library.folder) $LW \(command) \(Self.track)",
            folder: scratch.url)
        #expect(run.code == 3)
        #expect(try Self.successes(run.errors) == successes, "\(run.errors)")
        #expect(try library.hasAchievedNothing)
    }

    /// A command, what of the attempts it needs itself, and whether it needs a terminal.
    struct Attacked: CustomTestStringConvertible, Sendable {
        var line: String
        var successes = ["use 4 GB"]
        var isOnTerminal = false
        var testDescription: String { line }
    }

    /// The session of each command, with a file and with connections.
    static let attacked: [Attacked] = [
        Attacked(line: "watch $FIXTURES/walk/session.json"),
        Attacked(line: "watch 127.0.0.1:9", successes: connecting),
        Attacked(line: "watch mqtt://127.0.0.1:9", successes: connecting),
        Attacked(line: "watch --metrics-file metrics.prom 127.0.0.1:9", successes: connecting),
        Attacked(line: "watch --state state --fence home=45,7,9 127.0.0.1:9", successes: connecting),
        Attacked(line: "monitor $FIXTURES/walk/session.json", isOnTerminal: true),
        Attacked(line: "monitor 127.0.0.1:9", successes: connecting, isOnTerminal: true),
        Attacked(line: "once $FIXTURES/walk/session.json"),
        Attacked(line: "once --to udp://127.0.0.1:9 127.0.0.1:9", successes: connecting),
        Attacked(line: "record out.json $FIXTURES/walk/session.json"),
        Attacked(line: "record out.json 127.0.0.1:9", successes: connecting),
        Attacked(line: "export gpx -o out.gpx $FIXTURES/walk/session.json"),
        Attacked(line: "export gpx -o out.gpx 127.0.0.1:9", successes: connecting),
        Attacked(line: "export gpx -o /dev/stdout $FIXTURES/walk/session.json"),
        Attacked(line: "stats $FIXTURES/walk/session.json"),
        Attacked(line: "stats --plot $FIXTURES/walk/session.json"),
        Attacked(line: "stats --plot-file track.svg $FIXTURES/walk/session.json"),
        Attacked(line: "time 127.0.0.1:9", successes: connecting),
        Attacked(line: "publish udp://127.0.0.1:9 --queue queue 127.0.0.1:9", successes: connecting),
        Attacked(line: "publish tcp-listen://127.0.0.1:$PORT --queue memory 127.0.0.1:9", successes: connecting),
        Attacked(line: "web --port $PORT 127.0.0.1:9", successes: connecting),
        Attacked(line: "web --tiles streets.mbtiles --port $PORT 127.0.0.1:9", successes: connecting),
        Attacked(line: "devices 127.0.0.1:9", successes: connecting),
        Attacked(line: "serve --port 0 $FIXTURES/walk/session.json", successes: connecting),
        Attacked(line: "serve --port 0 127.0.0.1:9", successes: connecting),
        Attacked(line: "control $SERVICE lose"),
    ]

    /// The attempts that succeed are those that the command needs.
    @Test(arguments: attacked)
    func `a command that is taken over changes no file, starts no program, and reaches no process and no service`(
        attacked: Attacked
    ) async throws {
        let hostile = try HostileProgram(named: "hostile.so", as: .preloaded)
        if attacked.line.contains("streets.mbtiles") { try TileFile.write(to: scratch.path("streets.mbtiles")) }
        let run = try await Locwatch.run(
            "export LD_PRELOAD=\(hostile.path); exec 900</dev/null; exec $LW \(attacked.line)",
            screen: attacked.isOnTerminal ? .terminal(columns: 100) : .pipes,
            environment: ["PORT": "\(ReservedPort().number)", "SERVICE": hostile.service], folder: scratch.url)
        let said = run.output + run.errors
        #expect(run.code == 3, "\(said)")
        // The first attempt follows the sequences that begin a full screen.
        let text = said.replacing("\u{1B}[?25l\u{1B}[?7l\u{1B}[2J", with: "")
        let successes = try Self.successes(text)
        #expect(successes == attacked.successes, "\(text)")
        // A call that no row of the table mentions is said once, but not into a full screen.
        let told = text.components(separatedBy: "has refused the system call 452 (").count - 1
        #expect(told == (attacked.isOnTerminal ? 0 : 1), "\(text)")
        #expect(try hostile.hasAchievedNothing)
    }

    /// It needs decoders, which inherit what it may do.
    @Test func `a command that starts decoders runs no other program, wherever PATH leads`() async throws {
        let hostile = try HostileProgram(named: "hostile.so", as: .preloaded)
        // The folder around the secret.
        let folder = "\(hostile.folder)/.."
        let run = try await Locwatch.run(
            "export PATH=$PATH:\(folder):/ LD_LIBRARY_PATH=\(folder) LD_PRELOAD=\(hostile.path); "
                + "ulimit -S -n 256; exec $LW stats raw:\(Self.track)", folder: scratch.url)
        #expect(run.code == 3, "\(run.errors)")
        #expect(try Self.successes(run.errors) == ["fork", "use 4 GB"], "\(run.errors)")
        #expect(try hostile.hasAchievedNothing)
    }

    @Test(arguments: [
        ("watch --metrics-file /m", "/"), ("watch --state /o", "/"), ("export gpx -o /dev/t.gpx", "/dev"),
        ("record /r.json", "/"), ("stats --plot-file /proc/p.svg", "/proc"),
    ])
    func `an output for which a folder of the system would have to be open is refused with the reason`(
        line: String, folder: String
    ) async throws {
        let run = try await Locwatch.run("$LW \(line) $FIXTURES/walk/session.json")
        #expect(run.code == 64)
        let reason = "a session that may make files in \(folder) could write every file there"
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test func `what writes and has connections says what it can still do`() async throws {
        for (line, place) in [
            ("export gpx -o out/track.gpx \(Self.track)", "out/track.gpx"),
            ("record out/session.json \(Self.track)", "out/session.json"),
            ("publish udp://127.0.0.1:9 --queue out/queue \(Self.track)", "out/queue"),
            ("export csv -o 'out/%Y.csv' --rotate 1h \(Self.track)", "out/%Y.csv"),
        ] {
            let run = try await Locwatch.run("mkdir -p out; rm -rf out/*; $LW -v \(line)", folder: scratch.url)
            #expect(run.code == 0, "\(line): \(run.errors)")
            let words = "this process writes only beside "
            let said = run.errors.split(separator: "\n").first { $0.contains(words) }
            #expect(said?.contains(place) == true, "\(line): \(run.errors)")
        }
    }

    /// Each of them was refused once by the confinement.
    @Test(arguments: [
        "cp $FIXTURES/walk/session.json s.json; gzip -k s.json; $LW stats -q replay:s.json.gz",
        "cp $FIXTURES/walk/session.json s.json; xz -k s.json; $LW stats -q replay:s.json.xz",
        "mkdir a b; touch b/t.gpx; ln -s ../b/t.gpx a/t.gpx; $LW export -q gpx --force -o a/t.gpx $FIXTURES/walk/session.json",
        "mkdir a b; touch b/m; ln -s ../b/m a/m; $LW watch -q --pace max --metrics-file a/m $FIXTURES/walk/session.json",
        "mkdir a b; touch b/o; ln -s ../b/o a/o; $LW watch -q --pace max --odometer a/o $FIXTURES/walk/session.json; grep -q '\"metres\":[1-9]' b/o",
        "mkdir a b; touch b/r; ln -s ../b/r a/r; $LW record -q --force a/r $FIXTURES/walk/session.json",
        "ulimit -S -n 1024; timeout -s INT 1 $LW web --port $PORT $FIXTURES/walk/session.json; true",
        "$LW stats -q <(cat $FIXTURES/walk/session.json)",
        "$LW export -q nmea -o log.nmea $FIXTURES/walk/session.json; $LW stats -q log.nmea; $LW stats -q <(gzip -c log.nmea)",
        "$LW export -q gpx -o /dev/stdout $FIXTURES/walk/session.json",
        "$LW export -q gpx -o /dev/null $FIXTURES/walk/session.json",
        "touch none.json; chmod 000 none.json; $LW watch -j none.json; true",
    ])
    func `a confined command does what it is for`(line: String) async throws {
        let run = try await Locwatch.run(line, environment: ["PORT": "\(ReservedPort().number)"], folder: scratch.url)
        #expect(run.code == 0, "\(run.errors)")
        #expect(!run.errors.contains("refused"), "\(run.errors)")
    }

    @Test func `a session with a hook, which runs programs, is not confined`() async throws {
        let line = "$LW -v watch --pace max --on 'found=touch found' \(Self.track)"
        let run = try await Locwatch.run(line, folder: scratch.url)
        #expect(run.code == 0)
        #expect(!run.errors.contains("this process can read"), "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("found")))
        let plain = try await Locwatch.run("$LW -v watch --pace max \(Self.track)", folder: scratch.url)
        #expect(plain.errors.contains("this process can read \(Self.track) and nothing else of yours (files, "))
    }

    @Test(arguments: ["landlock_create_ruleset=38", "landlock_add_rule=38", "landlock_restrict_self=1"])
    func `where Landlock is refused the program says what holds, and a receiver is read`(refusal: String) async throws {
        try scratch.compile(program: "refuse.c", to: "refuse")
        let stats = try await Locwatch.run("./refuse \(refusal) -- $LW -v stats \(Self.track)", folder: scratch.url)
        #expect(stats.code == 0)
        let words = "this process opens no connection, but can read your files (system calls)"
        #expect(stats.errors.contains(words), "\(stats.errors)")
        let once = try await Locwatch.run("./refuse \(refusal) -- $LW once -t 60s sim:walk", folder: scratch.url)
        #expect(once.code == 0, "\(once.errors)")
    }
}

extension HostileProgram {
    /// Whether it has left no trace, and the secret as it was.
    fileprivate var hasAchievedNothing: Bool { get throws { try traces.isEmpty && secretIsUntouched } }
}
