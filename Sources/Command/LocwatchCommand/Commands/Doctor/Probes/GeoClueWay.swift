import Glibc
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The way from `publish` to GeoClue, from which the programs of a desktop have their position.
///
/// It is the evidence of its checks: each goes a step further, up to an open connection that brings sentences.
final class GeoClueWay {
    static let word = "geoclue"
    /// The socket of Avahi, which exists while it runs.
    private static let avahi = "/run/avahi-daemon/socket"
    /// The time for the first position.
    private static let limit = Duration.seconds(5)

    private let session: CommandSession
    private var setup = GeoClueSetup("")
    private var service: GeoClueSetup.Service?
    /// The connection to the program that publishes, or −1.
    private var connection: Int32 = -1

    init(_ session: CommandSession) { self.session = session }

    deinit { if connection >= 0 { close(connection) } }

    func run() -> ExitCode {
        DoctorReport(session).run("GeoClue", failed: "the programs of the desktop have no position", on: self) {
            [
                Check(.geoclue) { $0.configuration($1) }, Check(.avahi) { $0.announcement($1) },
                Check(.publisher) { $0.publisher($1) }, Check(.position) { way, _ in way.position() },
            ]
        }
    }

    private func configuration(_ machine: any ExaminedMachine) -> Finding {
        guard machine.file(GeoClueSetup.program) != nil else {
            return .fault(
                .unavailable, "GeoClue is not installed", why: "programs of the desktop ask it for the position",
                remedy: machine.install("geoclue-2.0"))
        }
        setup = GeoClueSetup(machine.text(GeoClueSetup.file) ?? "")
        guard setup.isEnabled else {
            return .fault(
                .unavailable, "GeoClue reads no NMEA", why: "its configuration switches that off",
                remedy: "write enable=true below [network-nmea] in \(GeoClueSetup.file)",
                "then: sudo systemctl restart geoclue")
        }
        let place = setup.socket.map { "the socket \($0.printable)" } ?? "the services \(GeoClueSetup.service) of Avahi"
        return .ok("GeoClue reads NMEA from \(place)")
    }

    private func announcement(_ machine: any ExaminedMachine) -> Finding {
        guard setup.socket == nil else { return .moot }
        guard machine.file(Self.avahi) != nil else {
            return .fault(
                .unavailable, "avahi-daemon does not run", why: "GeoClue finds programs with NMEA through it",
                remedy: machine.install("avahi-daemon"),
                "or name a socket below [network-nmea] in \(GeoClueSetup.file)")
        }
        guard let browser = InstalledProgram.path(of: "avahi-browse"),
            let text = ProgramOutput.text(of: browser, ["-rtpk", GeoClueSetup.service], within: .seconds(10))
        else {
            return .remark(
                "avahi-daemon runs, and avahi-browse cannot tell what it announces",
                why: "it is not installed, or Avahi does not answer it", remedy: machine.install("avahi-utils"))
        }
        service = GeoClueSetup.services(text).first
        guard let service else {
            return .fault(
                .unavailable, "no \(GeoClueSetup.service) is announced", why: "GeoClue looks for such a service",
                remedy: "sudo cp /usr/share/doc/locwatch/examples/avahi/locwatch-nmea.service /etc/avahi/services/")
        }
        return .ok("a service is announced at \(service.address), port \(service.port)")
    }

    private func publisher(_ machine: any ExaminedMachine) -> Finding {
        if let path = setup.socket { return socket(path, machine) }
        guard let service else { return .moot }
        let place = "\(service.address), port \(service.port)"
        do throws(SystemFailure) {
            connection = try SocketAddress.resolve(service.address, port: service.port).connect(within: Self.limit)
            return .ok("a program answers at \(place)")
        } catch {
            // GeoClue connects to the announced address, and not to localhost.
            return absent(
                "nothing listens at \(place): \(error.reason)",
                "locwatch publish tcp-listen://0.0.0.0:\(service.port), which the whole network can read")
        }
    }

    private func socket(_ path: String, _ machine: any ExaminedMachine) -> Finding {
        let place = path.printable
        let publish = "locwatch publish 'unix-listen:\(place)?mode=666'"
        guard let access = machine.file(path) else { return absent("nothing is at \(place)", publish) }
        if ["/tmp/", "/home/", "/root/", "/var/tmp/"].contains(where: path.hasPrefix) {
            return .fault(
                .unavailable, "GeoClue cannot see \(place)", why: "its service has another /tmp, and no homes",
                remedy: "use a path below /run, in \(GeoClueSetup.file) and for 'locwatch publish'")
        }
        guard access.owner == "geoclue" || access.mode & 0o006 == 0o006 else {
            return .fault(
                .denied, "GeoClue must not open \(place): \(access.words)", why: "it runs as the user geoclue",
                remedy: publish)
        }
        do throws(SystemFailure) {
            connection = try UnixAddress.connect(to: path)
            return .ok("a program answers at \(place)")
        } catch {
            return absent("\(place) does not answer: \(error.reason)", publish)
        }
    }

    private func absent(_ found: String, _ publish: String) -> Finding {
        .fault(.unavailable, found, why: "locwatch listens only while it publishes", remedy: publish)
    }

    /// Reads sentences up to the first one with a position.
    private func position() -> Finding {
        guard connection >= 0 else { return .moot }
        let deadline = ContinuousClock.now + (session.settings.limits.timeout ?? Self.limit)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var position = GeoClueSetup.Position.unknown
        while text.count < 1 << 16 {
            if case .found = position { break }
            let left = deadline - ContinuousClock.now
            guard left > .zero, PollSet.wait(for: connection, within: left) else { break }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            text += chunk.prefix(count)
            position = GeoClueSetup.position(inSentences: String(decoding: text, as: UTF8.self))
        }
        switch position {
        case .found(let hdop?):
            let metres = GeoClueSetup.accuracy(ofHDOP: hdop)
            return .ok("a position with HDOP \(hdop), of which GeoClue makes \(metres) m")
        case .found(nil):
            return .remark(
                "a position without HDOP", why: "GeoClue then says that it is accurate to 0 m",
                remedy: "see whether the receiver reports its satellites: locwatch doctor")
        case .missing, .unknown:
            return .fault(
                .noFix, text.isEmpty ? "nothing was sent" : "no position was sent",
                why: "the receiver has no fix, or what is sent is not NMEA", remedy: "locwatch doctor")
        }
    }
}
