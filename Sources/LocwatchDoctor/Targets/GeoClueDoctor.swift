import Glibc
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The check of the way from `publish` to GeoClue, from which the programs of a desktop have their position.
struct GeoClueDoctor {
    /// The word of the command line.
    static let word = "geoclue"
    /// The socket of Avahi, which exists while it runs.
    private static let avahi = "/run/avahi-daemon/socket"
    /// The time for the first position.
    private static let limit = Duration.seconds(5)

    private let settings: Settings
    private let context: CommandContext
    private var machine: any MachineView { context.machine }

    init(_ invocation: Invocation, _ context: CommandContext) {
        settings = invocation.settings
        self.context = context
    }

    func run() -> ExitCode {
        StepPrinter(settings, context).print("GeoClue", "the programs of the desktop have no position") { results() }
    }

    private func results() -> [TargetDoctor.Result] {
        guard machine.file(GeoClueSetup.program) != nil else {
            return [
                (
                    .geoclue,
                    .fault(
                        .unavailable, "GeoClue is not installed",
                        why: "programs of the desktop ask it for the position",
                        remedy: [machine.install("geoclue-2.0")])
                )
            ]
        }
        let setup = GeoClueSetup(machine.text(GeoClueSetup.file) ?? "")
        guard setup.isEnabled else {
            return [
                (
                    .geoclue,
                    .fault(
                        .unavailable, "GeoClue reads no NMEA", why: "its configuration switches that off",
                        remedy: [
                            "write enable=true below [network-nmea] in \(GeoClueSetup.file)",
                            "then: sudo systemctl restart geoclue",
                        ])
                )
            ]
        }
        let place = setup.socket.map { "the socket \($0.printable)" } ?? "the services \(GeoClueSetup.service) of Avahi"
        let start: [TargetDoctor.Result] = [(.geoclue, .ok("GeoClue reads NMEA from \(place)"))]
        return start + (setup.socket.map(socket) ?? services())
    }

    // MARK: The Unix socket

    private func socket(_ path: String) -> [TargetDoctor.Result] {
        let publish = "locwatch publish 'unix-listen:\(path.printable)?mode=666'"
        guard let access = machine.file(path) else {
            return [absent("nothing is at \(path.printable)", publish)]
        }
        if ["/tmp/", "/home/", "/root/", "/var/tmp/"].contains(where: path.hasPrefix) {
            return [
                (
                    .publisher,
                    .fault(
                        .unavailable, "GeoClue cannot see \(path.printable)",
                        why: "its service has another /tmp, and no homes",
                        remedy: ["use a path below /run, in \(GeoClueSetup.file) and for 'locwatch publish'"])
                )
            ]
        }
        guard access.owner == "geoclue" || access.mode & 0o006 == 0o006 else {
            return [
                (
                    .publisher,
                    .fault(
                        .denied, "GeoClue must not open \(path.printable): \(access.words)",
                        why: "it runs as the user geoclue", remedy: [publish])
                )
            ]
        }
        do throws(SystemFailure) {
            let connection = try UnixAddress.connect(to: path)
            defer { close(connection) }
            return positions(from: connection, at: path.printable)
        } catch {
            return [absent("\(path.printable) does not answer: \(error.reason)", publish)]
        }
    }

    // MARK: Avahi

    private func services() -> [TargetDoctor.Result] {
        guard machine.file(Self.avahi) != nil else {
            return [
                fault(
                    "avahi-daemon does not run", why: "GeoClue finds programs with NMEA through it",
                    [machine.install("avahi-daemon"), "or name a socket below [network-nmea] in \(GeoClueSetup.file)"])
            ]
        }
        guard let browser = InstalledProgram.path(of: "avahi-browse"),
            let text = ProgramOutput.text(of: browser, ["-rtpk", GeoClueSetup.service], within: .seconds(10))
        else {
            return [
                (
                    .avahi,
                    .remark(
                        "avahi-daemon runs, and avahi-browse cannot tell what it announces",
                        why: "it is not installed, or Avahi does not answer it",
                        remedy: [machine.install("avahi-utils")])
                )
            ]
        }
        guard let service = GeoClueSetup.services(text).first else {
            return [
                fault(
                    "no \(GeoClueSetup.service) is announced", why: "GeoClue looks for such a service",
                    ["sudo cp /usr/share/doc/locwatch/examples/avahi/locwatch-nmea.service /etc/avahi/services/"])
            ]
        }
        let place = "\(service.address), port \(service.port)"
        let step: TargetDoctor.Result = (.avahi, .ok("a service is announced at \(place)"))
        // GeoClue connects to the announced address, and not to localhost.
        let publish = "locwatch publish tcp-listen://0.0.0.0:\(service.port), which the whole network can read"
        do throws(SystemFailure) {
            let connection = try SocketAddress.resolve(service.address, port: service.port).connect(within: Self.limit)
            defer { close(connection) }
            return [step] + positions(from: connection, at: place)
        } catch {
            return [step, absent("nothing listens at \(place): \(error.reason)", publish)]
        }
    }

    // MARK: Sentences

    private func positions(from connection: Int32, at place: String) -> [TargetDoctor.Result] {
        let deadline = ContinuousClock.now + (settings.timeout ?? Self.limit)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var position = GeoClueSetup.Position.unknown
        while text.count < 1 << 16 {
            if case .found = position { break }
            var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            let left = deadline - ContinuousClock.now
            guard left > .zero, poll(&watched, 1, left.wholeMilliseconds) > 0 else { break }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            text += chunk.prefix(count)
            position = GeoClueSetup.position(inSentences: String(decoding: text, as: UTF8.self))
        }
        let step: TargetDoctor.Result = (.publisher, .ok("a program answers at \(place)"))
        switch position {
        case .found(let hdop?):
            let metres = GeoClueSetup.accuracy(ofHDOP: hdop)
            return [step, (.position, .ok("a position with HDOP \(hdop), of which GeoClue makes \(metres) m"))]
        case .found(nil):
            return [
                step,
                (
                    .position,
                    .remark(
                        "a position without HDOP", why: "GeoClue then says that it is accurate to 0 m",
                        remedy: ["see whether the receiver reports its satellites: locwatch doctor"])
                ),
            ]
        case .missing, .unknown:
            let words = text.isEmpty ? "nothing was sent" : "no position was sent"
            return [
                step,
                (
                    .position,
                    .fault(
                        .noFix, words, why: "the receiver has no fix, or what is sent is not NMEA",
                        remedy: ["locwatch doctor"])
                ),
            ]
        }
    }

    private func absent(_ found: String, _ publish: String) -> TargetDoctor.Result {
        (.publisher, .fault(.unavailable, found, why: "locwatch listens only while it publishes", remedy: [publish]))
    }

    private func fault(_ found: String, why: String, _ remedy: [String]) -> TargetDoctor.Result {
        (.avahi, .fault(.unavailable, found, why: why, remedy: remedy))
    }
}
