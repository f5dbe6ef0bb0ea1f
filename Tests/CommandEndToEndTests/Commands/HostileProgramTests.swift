import Foundation
import LocwatchPlatform
import TestSupport
import Testing

/// A hostile program in place of each child, as if an input, a receiver or a server had taken the child over.
@Suite(.enabled(if: ConfinementParts.available == .all, "this kernel lacks parts of the confinement"))
struct HostileProgramTests {
    private static let track = Locwatch.package.appending(path: "Tests/Tracks/gdal.gpx").path
    private static let none = "0 of 55 attempts succeeded"

    private func run(_ name: String, _ line: String) async throws -> (code: Int32, errors: String) {
        let program = try HostileProgram(named: name, port: 9)
        let scratch = try Scratch()
        let sentence = "$GPGGA,120000.00,4812.0,N,01622.0,E,1,08,0.9,200.0,M,40.0,M,,*59\r\n"
        try scratch.write(String(repeating: sentence, count: 9), to: "drive.nmea")
        let pack = try Tool("sh", ["-c", "gzip -k drive.nmea; xz -k drive.nmea; zstd -qk drive.nmea"], in: scratch.url)
        try #require(pack.status == 0)
        let run = try await Locwatch.run(
            "PATH=\(program.folder):/usr/bin:/bin; $LW \(line)", folder: scratch.url)
        #expect(try program.traces.isEmpty)
        #expect(program.secretIsUntouched)
        #expect(!run.output.contains(HostileProgram.secret))
        return (run.code, run.errors)
    }

    @Test(arguments: [
        ("gpsdecode", "drive.nmea"), ("gzip", "drive.nmea.gz"), ("xz", "drive.nmea.xz"), ("zstd", "drive.nmea.zst"),
    ])
    func `a hostile decoder achieves nothing, and the command says what became of it`(
        name: String, file: String
    ) async throws {
        let run = try await run(name, "stats \(file)")
        #expect(run.code == 65)
        #expect(run.errors.contains("\(name): \(Self.none)"), "\(run.errors)")
    }

    @Test func `a decoder that crashes is an error with the position in the file`() async throws {
        let scratch = try Scratch()
        let program = "int main(void) { char bytes[9]; read(0, bytes, 9); abort(); }"
        try scratch.write("#include <stdlib.h>\n#include <unistd.h>\n\(program)", to: "crash.c")
        let clang = try Tool("clang", ["-o", scratch.path("gpsdecode"), scratch.path("crash.c")])
        try #require(clang.status == 0, "\(clang.errors)")
        try scratch.write(String(repeating: "$GPTXT,01,01,02,x*00\r\n", count: 10), to: "drive.nmea")
        let run = try await Locwatch.run("PATH=\(scratch.url.path):$PATH; $LW stats drive.nmea", folder: scratch.url)
        #expect(run.code == 65)
        #expect(run.errors.contains("gpsdecode was ended by signal 6 within its first 220 bytes"), "\(run.errors)")
    }

    @Test(arguments: ["stats", "watch --pace max", "once"])
    func `a library that a track has taken over reads no other file, writes none and opens no connection`(
        command: String
    ) async throws {
        let library = try HostileProgram(named: "libexpat.so.1", port: 9, isLibrary: true)
        let run = try await Locwatch.run(
            "export PATH=\(library.folder):/usr/bin:/bin; LD_LIBRARY_PATH=\(library.folder) $LW \(command) \(Self.track)"
        )
        #expect(run.code == 3)
        // A child and what it runs inherit the confinement.
        let harmless = ["write to anonymous memory", "raise a limit", "fork", "use 4 GB"]
        let done = run.errors.split(separator: "\n").filter { $0.hasSuffix(" done") }.map { $0.dropLast(" done".count) }
        #expect(done.map(String.init) == harmless, "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 54)
        #expect(try library.traces.isEmpty)
        #expect(library.secretIsUntouched)
    }

    /// It can still make connections, which it is for.
    @Test(arguments: [
        ("libcurl.so.4", "http://127.0.0.1:9"), ("libmosquitto.so.1", "mqtt://127.0.0.1:9/a"),
    ])
    func `a library that a server has taken over reads no file of the user, and writes beside the queue only`(
        name: String, target: String
    ) async throws {
        let library = try HostileProgram(named: name, port: 9, isLibrary: true)
        let scratch = try Scratch()
        let run = try await Locwatch.run(
            "export PATH=\(library.folder):/usr/bin:/bin; LD_LIBRARY_PATH=\(library.folder) "
                + "$LW publish \(target) --queue queue \(Self.track)", folder: scratch.url)
        #expect(run.code == 3)
        let lines = run.errors.split(separator: "\n").map { $0.split(separator: " ") }
        let answers = Dictionary(lines.map { ($0.dropLast().joined(separator: " "), String($0.last ?? "")) }) { $1 }
        for attempt in [
            "read a secret", "read memory of the owner", "list processes", "list a folder", "write a file",
            "write a temporary file", "fill the disk", "make a folder", "rename a file", "link a file",
            "change a mode", "change an owner", "change a time", "change an attribute", "trace the parent",
            "read the memory of the owner", "signal the owner", "have the owner signalled", "make a namespace", "mount",
            "load a program into the kernel", "use a keyring", "make a ring", "share memory", "watch pages", "measure",
            "change a mode by the newest call", "change a time by the oldest call",
            "change an attribute by the newest call", "remove an attribute", "queue a signal for the owner",
            "limit the owner", "schedule the owner", "take a descriptor of the owner", "make a namespace for a child",
            "call by another number",
        ] {
            let answer = answers[attempt] ?? "not tried"
            #expect(["EACCES", "EPERM", "ENOSYS"].contains(answer), "\(attempt): \(answer)")
        }
        #expect(answers["open a TCP socket"] == "done")
        #expect(try library.traces.isEmpty)
        #expect(library.secretIsUntouched)
    }

    @Test func `what writes and has connections says what it can still do`() async throws {
        let scratch = try Scratch()
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

    @Test func `a session with a hook, which runs programs, is not confined`() async throws {
        let scratch = try Scratch()
        let line = "$LW -v watch --pace max --on-replay --on 'found=touch found' \(Self.track)"
        let run = try await Locwatch.run(line, folder: scratch.url)
        #expect(run.code == 0)
        #expect(!run.errors.contains("this process can read"), "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("found")))
        let plain = try await Locwatch.run("$LW -v watch --pace max \(Self.track)", folder: scratch.url)
        #expect(plain.errors.contains("this process can read \(Self.track) and nothing else of yours (files, "))
    }

    @Test(arguments: ["landlock_create_ruleset=38", "landlock_add_rule=38", "landlock_restrict_self=1"])
    func `where Landlock is refused the program says what holds, and a receiver is read`(refusal: String) async throws {
        let scratch = try Scratch()
        let source = Locwatch.package.appending(path: "Tests/Programs/refuse.c").path
        let clang = try Tool("clang", ["-o", scratch.path("refuse"), source])
        try #require(clang.status == 0, "\(clang.errors)")
        let stats = try await Locwatch.run("./refuse \(refusal) -- $LW -v stats \(Self.track)", folder: scratch.url)
        #expect(stats.code == 0)
        let words = "this process opens no connection, but can read your files (system calls)"
        #expect(stats.errors.contains(words), "\(stats.errors)")
        let once = try await Locwatch.run("./refuse \(refusal) -- $LW once -t 60s sim:walk", folder: scratch.url)
        #expect(once.code == 0, "\(once.errors)")
    }

    @Test func `a hostile gpsd of a receiver achieves nothing`() async throws {
        let run = try await run("gpsd", "once sim:walk")
        #expect(run.code == 69)
        #expect(run.errors.contains("gpsd ended at once with code 3: \(Self.none)"), "\(run.errors)")
    }

    @Test(arguments: ["tcp://127.0.0.1:65000", "udp://127.0.0.1:65000", "ntrip://127.0.0.1:65000/MOUNT"])
    func `a hostile gpsd of a stream gets one socket, without a way to another port`(source: String) async throws {
        let run = try await run("gpsd", "once -t 5s \(source)")
        #expect(run.code == 69)
        #expect(run.errors.contains("65000"), "\(run.errors)")
    }
}
