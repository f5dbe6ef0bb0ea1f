import Foundation
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// A private gpsd that cannot start.
@Suite(.serialized, .withFew) struct PrivateGPSDFailureTests {
    private let line: ReceiverTerminal
    private let folder: Scratch

    init() throws { (line, folder) = (try ReceiverTerminal(), try Scratch()) }

    @Test(arguments: [
        ("/dev/locwatch-none", LocationError.DeviceFault.missing), ("/etc/hostname/tty", .missing),
        ("/etc/passwd", .notASerialDevice), ("/tmp", .notASerialDevice), ("/dev/null", .notASerialDevice),
    ]) func `a path without a serial line is an error`(path: String, fault: LocationError.DeviceFault) throws {
        #expect(throws: LocationError.deviceUnusable(path: path, cause: fault)) { try PrivateGPSD(device: path) }
    }

    @Test func `a line that another process has locked is an error that names the process`() throws {
        let pipe = Pipe()
        let script =
            "import fcntl,os,sys,termios,time\nd=os.open(sys.argv[1],os.O_RDWR|os.O_NOCTTY)\n"
            + "fcntl.ioctl(d,termios.TIOCEXCL)\nprint('kept',flush=True)\ntime.sleep(60)"
        let holder = try ChildProcess(
            path: "/usr/bin/python3", arguments: ["-c", script, line.path], environment: ["PATH": "/usr/bin"],
            output: pipe.fileHandleForWriting.fileDescriptor)
        #expect(try pipe.fileHandleForReading.read(upToCount: 5) == Data("kept\n".utf8))
        let fault = LocationError.DeviceFault.busy(holder: "python3 (process \(holder.processID))")
        #expect(throws: LocationError.deviceUnusable(path: line.path, cause: fault)) {
            try PrivateGPSD(device: line.path)
        }
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.files), "a gpsd that sees others refuses a line itself"))
    func `of two daemons that start in the same instant on one line, one gets it`() throws {
        let starts = try (0..<2).map { _ in try StartingGPSD(.line(line.path), PrivateGPSD.Settings()) }
        for start in starts { start.done.wait() }
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).split(separator: "\n")[0]
        let fault = LocationError.DeviceFault.busy(holder: "\(name) (process \(getpid()))")
        let refused = starts.filter { !$0.isRunning }
        #expect(refused.count == 1 && starts.count { $0.isRunning } == 1)
        for start in refused {
            #expect(throws: LocationError.deviceUnusable(path: line.path, cause: fault)) { try start.outcome() }
        }
        for start in starts { start.end() }
    }

    @Test func `a missing gpsd program is an error that names the place searched`() throws {
        var settings = PrivateGPSD.Settings()
        settings.program = "/none/gpsd"
        #expect(throws: LocationError.daemonUnavailable(cause: "there is no program gpsd in /none/gpsd")) {
            try PrivateGPSD(device: line.path, settings: settings)
        }
    }

    /// Whether a process can have a `/tmp` of its own.
    private static let hasMounts: Bool = {
        let probe = try? Tool("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/tmp"])
        return probe?.status == 0
    }()

    @Test(.enabled(if: hasMounts, "this user or container can mount nothing"))
    func `without room for a socket there is an error, and no port that others can read`() throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "locwatch-dev")
        // A folder that has no room for any file, and hides the program if that is in it.
        let line =
            "exec 9<'\(program.path)'; mount -t tmpfs -o nr_inodes=1 tmpfs /tmp "
            + "&& /proc/self/fd/9 hold-private \(line.path) 2>&1 || :"
        let said = try Tool("unshare", ["-m", "sh", "-c", line]).output
        #expect(said.contains("there is no socket that only this user can reach"), "\(said)")
        #expect(said.contains("No space left on device"), "\(said)")
    }

    @Test(arguments: [
        ("echo 'gpsd:ERROR: no luck' >&2; exit 3", "gpsd ended at once with code 3: gpsd:ERROR: no luck", 600_000),
        ("exec sleep 60", "gpsd did not answer within 0.2 seconds", 200),
    ])
    func `a gpsd that ends at once or never answers is an error with its cause`(
        script: String, cause: String, milliseconds: Int
    ) throws {
        var settings = PrivateGPSD.Settings()
        settings.program = try folder.writeScript(script, to: "gpsd")
        settings.confinedParts = []
        settings.limit = .milliseconds(milliseconds)
        #expect(throws: LocationError.daemonUnavailable(cause: cause)) {
            try PrivateGPSD(device: line.path, settings: settings)
        }
    }

    @Test func `the end of the start of a private gpsd comes at once and leaves no daemon`() async throws {
        let mark = folder.path("started")
        var settings = PrivateGPSD.Settings()
        // The program ignores all signals but SIGKILL, as gpsd may while it probes a device. It can write no file, as every
        // private gpsd, so a link names its process.
        settings.program = try folder.writeScript(
            "trap '' TERM; ln -s $$ \(mark); exec sleep 300", to: "gpsd")
        settings.confinedParts = []
        settings.limit = .seconds(300)
        let starting = try StartingGPSD(.line(line.path), settings)
        let process = try await eventually(
            "the start of the program", within: .seconds(60),
            { (try? FileManager.default.destinationOfSymbolicLink(atPath: mark)).flatMap { Int32($0) } },
            is: { $0 != nil })
        let start = ContinuousClock.now
        starting.end()
        starting.gone.wait()
        #expect(throws: LocationError.cancelled) { try starting.outcome() }
        // Less than the limit, with room for a busy machine.
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(!RunningProcess(try #require(process)).isRunning)
    }
}

extension StartingGPSD {
    /// Whether the gpsd has started and runs.
    var isRunning: Bool { (try? outcome())?.isRunning ?? false }
}
