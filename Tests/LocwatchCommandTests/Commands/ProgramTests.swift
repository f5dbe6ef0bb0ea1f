import Foundation
import LocationGPSD
import LocwatchPlatform
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite(.serialized, .withClocks) struct ProgramTests {
    private static let drive = "$FIXTURES/walk/session.json"
    private static let version =
        "locwatch \(Version.number)" + (LibgpsVersion.library.map { " (libgps \($0))" } ?? "") + "\n"

    private static let brief = HelpTopic.command(CommandName("once")).text(width: 80, isBrief: true)

    @Test(arguments: [
        (["help"], HelpTopic.overview.text), (["--help"], HelpTopic.overview.text),
        (["once", "--help"], HelpTopic.command(CommandName("once")).text),
        (["once", "-h"], brief), (["once", "-jh"], brief), (["-h", "once"], brief),
        (["help", "help"], HelpTopic.command(CommandName("help")).text),
        (["help", "--help"], HelpTopic.command(CommandName("help")).text),
        (["help", "sources"], HelpTopic.sources.text), (["help", "targets"], HelpTopic.targets.text),
        (["help", "schema"], HelpTopic.schema.text),
        (["help", "manual"], HelpTopic.manual.text), (["version"], version), (["-V"], version),
        (["once", "--version"], version), (["-h"], HelpTopic.overview.text),
        (["completions", "bash"], Shell.bash.completions),
    ])
    func `the program prints information on standard output and exits with 0`(arguments: [String], text: String)
        async throws
    {
        #expect(try await CommandTrial().run(arguments) == .init(output: text))
    }

    @Test func `version -v and the log of a session say what the machine cannot confine`() async throws {
        let all = try await CommandTrial().run("version -v")
        let parts = "files, device commands, TCP ports, signals, system calls"
        let confinement = "decoders and private daemons are confined: \(parts)\nconfiguration: none\n"
        #expect(all.output.hasPrefix(Self.version) && all.output.hasSuffix(confinement), "\(all.output)")
        #expect(try await !CommandTrial().run("once -v \(Self.drive)").errors.contains("confined"))
        var machine = PretendedMachine()
        machine.confinement = [.files, .devices, .ports, .signals]
        let missing = "system calls (seccomp on x86_64 or aarch64)\n"
        let some = try await CommandTrial(machine: machine).run("version -v")
        #expect(some.output.hasSuffix("signals\nnot confined on this machine: \(missing)configuration: none\n"))
        let log = try await CommandTrial(machine: machine).run("once -v \(Self.drive)").errors
        #expect(log.contains("locwatch: decoders and private daemons are not confined in: " + missing), "\(log)")
    }

    @Test(arguments: [
        (InstalledGPSD(path: "/usr/sbin/gpsd", release: "3.25"), "3.25 (/usr/sbin/gpsd)"),
        (InstalledGPSD(path: "/opt/gpsd"), "of an unknown release (/opt/gpsd)"), (nil, "none"),
    ])
    func `version -v names the gpsd that is found, beside the libgps of the program`(gpsd: InstalledGPSD?, name: String)
        async throws
    {
        let machine = with(PretendedMachine()) { $0.gpsd = gpsd }
        let text = try await CommandTrial(machine: machine).run("version -v").output
        #expect(text.hasPrefix(Self.version + "gpsd: \(name)\n"), "\(text)")
    }

    @Test(arguments: [
        ("once --csv", 1), ("watch --csv --pace max", 40), ("export csv", 40), ("watch --csv --sky --pace max", nil),
        ("watch --csv -s --pace max", nil),
    ])
    func `CSV with --no-header is that without it but for the first line`(line: String, count: Int?) async throws {
        let whole = try await CommandTrial().run("\(line) \(Self.drive)")
        let rows = try await CommandTrial().run("\(line) --no-header \(Self.drive)")
        // The times of arrival of a file are those of this run.
        #expect(rows.status == 0 && rows.lines.count == whole.lines.count - 1, "\(rows.output)")
        #expect(count == nil || rows.lines.count == count)
        #expect(whole.lines[0].hasPrefix("time,") && rows.lines.first?.hasPrefix("2026-11-20T") == true)
    }

    @Test func `publish to a path needs no folder for a queue, and with --quiet prints only what was asked for`()
        async throws
    {
        // CommandTrial sets no HOME.
        func run(_ options: String) async throws -> CommandTrial.Result {
            let folder = try Scratch()
            return try await CommandTrial().run("publish file:\(folder.path("position")) \(options) \(Self.drive)")
        }
        let usual = try await run("")
        #expect(usual.status == 0 && usual.output.contains("found      3D fix"), "\(usual.errors)\(usual.output)")
        #expect(try await run("-q") == .init())
        let asked = try await run("-q -j")
        #expect(asked.status == 0 && asked.output.contains(#""event":"end""#) && asked.errors == "")
        let other = try await CommandTrial().run("publish mqtt://localhost:1/a \(Self.drive)")
        #expect(other.status == 73 && other.errors.contains("there is no folder for the queue"), "\(other.errors)")
    }

    @Test func `devices of a recording shows when a receiver was heard in it`() async throws {
        let result = try await CommandTrial().run("devices \(Self.drive)")
        #expect(result.lines.last?.contains("  2026-11-20 ") == true, "\(result.output)")
        #expect(!result.output.contains("just now") && !result.output.contains(" ago"), "\(result.output)")
    }

    @Test func `a usage error is printed on standard error and exits with 64`() async throws {
        let result = try await CommandTrial().run("once --timeuot 5s")
        let lines = "locwatch: unknown option --timeuot; did you mean --timeout?\nlocwatch: see 'locwatch help once'\n"
        #expect(result == .init(code: .usage, errors: lines))
    }

    @Test func `the file of the user is named`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("utc\n", to: "config").path
        let named = try await CommandTrial(environment: ["LOCWATCH_CONFIG": file]).run("version -v")
        #expect(named.output.hasSuffix("configuration: \(file)\n"))
    }
}
