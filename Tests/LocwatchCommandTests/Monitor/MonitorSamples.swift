import Glibc
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

extension MonitorState {
    /// The text of a screen that shows the state.
    func screen(columns: Int = 80, rows: Int = 24, _ view: MonitorView = MonitorView()) -> String {
        Monitor.render(self, view, size: ScreenSize(columns: columns, rows: rows)).text
    }
}

/// States of the monitor for golden texts, each made of updates as a session would send them.
enum MonitorSamples {
    static let device = "/dev/ttyACM0"

    /// Returns the state after updates, at a moment that may be later.
    static func state(
        _ updates: [LocationUpdate], at now: Double, place: String = "pi.local", word: String? = nil,
        reference: ReferencePoint? = nil, ofFleet isFleet: Bool = false
    ) -> MonitorState {
        var state = MonitorState(place: place, word: word, reference: reference, now: ScriptedSession.moment(0))
        var tracker = Tracker()
        tracker.play(updates.ofFleet(isFleet), until: ScriptedSession.moment(now)) { state.process($0, $1) }
        state.advance(to: ScriptedSession.moment(now))
        return state
    }

    /// A comparison of clocks with the offset of the host's clock in nanoseconds.
    static func clock(_ source: ClockSample.Source, _ offset: Int) -> ClockSample {
        let time = Int64(1_795_161_600_000_000_000)
        return ClockSample(
            source, device: device, receiverTime: Timestamp(nanosecondsSince1970: time),
            hostTime: Timestamp(nanosecondsSince1970: time + Int64(offset)))
    }

    static func status(_ path: String = device) -> LocationUpdate {
        let status = with(DeviceStatus(path: path, activity: .reporting)) {
            ($0.driver, $0.speed, $0.framing) = ("u-blox", 9600, "8N1")
        }
        return LocationUpdate(.device(status), at: 1)
    }

    static func sky(_ count: Int, used: Int, at seconds: Double) -> LocationUpdate {
        let systems: [Constellation] = [.gps, .galileo, .glonass, .beidou]
        let satellites = (0..<count).map { index in
            Satellite(
                constellation: systems[index % 4], number: index / 4 * 3 + 2, prn: nil,
                elevation: Double((index * 37 + 8) % 90), azimuth: Double((index * 73 + 20) % 360),
                signal: index % 9 == 8 ? nil : Double(49 - index % 32), isUsed: index < used)
        }
        let dilution = with(DilutionOfPrecision()) { ($0.horizontal, $0.vertical, $0.position) = (0.8, 1.3, 1.5) }
        let sky = SkyView(satellites: satellites, dilution: dilution, device: device)
        return LocationUpdate(.satellites(sky), at: seconds)
    }

    static func location(_ seconds: Double, device: String? = device) -> LocationUpdate {
        let (latitude, longitude) = (45.073612 + 0.00001 * sin(seconds), 7.680431 + 0.00001 * cos(seconds / 2))
        let location = with(ScriptedSession.location(seconds, latitude: latitude, longitude: longitude)) {
            ($0.device, $0.speed, $0.climb) = (device, 1.2 + sin(seconds / 20), 0.1)
            $0.horizontalAccuracy = 5.4 + 2 * cos(seconds / 30)
        }
        return LocationUpdate(.location(location), at: seconds)
    }

    private static func fixes(_ seconds: ClosedRange<Int>) -> [LocationUpdate] {
        seconds.flatMap { [sky(16, used: 9, at: Double($0)), location(Double($0))] }
    }

    private static let connected = LocationUpdate(.searching(.connected(release: "3.25")), at: 0)
    private static let searching = LocationUpdate(.searching(.noFix(seen: 7, used: 0, best: 24), device: device), at: 2)
    private static let unreachable = LocationError.unreachable(
        host: "pi.local", port: 2947, cause: "connection refused")

    /// Every state of the issue, by name.
    static let all: [(name: String, state: MonitorState)] = [
        ("searching", state([connected, status(), searching, sky(7, used: 0, at: 10)], at: 72)),
        ("found", state([connected, status(), searching] + fixes(21...120), at: 120.4)),
        ("stale", state([connected, status()] + fixes(21...80), at: 95)),
        (
            "lost",
            state(
                [connected, status()] + fixes(21...80) + [
                    .init(.searching(.noFix(seen: 7, used: 0, best: 24), device: device), at: 81),
                    sky(7, used: 0, at: 90),
                ], at: 90.5)
        ),
        ("error", state([connected, status()] + fixes(21...30) + [.init(.failure(unreachable), at: 31)], at: 40)),
        ("no-device", state([connected, .init(.searching(.noDevice), at: 1)], at: 12)),
        (
            "two-receivers",
            state(
                [connected, status(), status("/dev/ttyUSB0")]
                    + (21...60).flatMap { [location(Double($0)), location(Double($0), device: "/dev/ttyUSB0")] }
                    + [sky(16, used: 9, at: 60)] + (61...70).map { location(Double($0), device: "/dev/ttyUSB0") },
                at: 70)
        ),
        ("forty-satellites", state([status(), sky(40, used: 23, at: 20), location(20)], at: 20)),
        ("no-satellites", state([status(), sky(0, used: 0, at: 20)], at: 20)),
        (
            "long-names",
            state(
                [
                    status("/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"),
                    location(20, device: "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"),
                ], at: 20, place: "a-very-long-host-name.in-a-subdomain.of-a-company.example.com:2947")
        ),
        (
            "wide-characters",
            state(
                [status("/dev/受信機"), location(20, device: "/dev/受信機"), .init(.notice(.message("位置は東京です")), at: 20)],
                at: 20, place: "受信機.例え.jp")
        ),
        (
            "fleet",
            state(
                (0..<60).flatMap { index in
                    index % 5 == 4
                        ? [.init(.searching(.noFix(seen: 5, used: 0, best: 21), device: "van-\(index)"), at: 10)]
                        : [location(10 + Double(index % 7), device: "van-\(index)")]
                }, at: 17, place: "mqtt://broker/fleet/#", ofFleet: true)
        ),
    ]

    /// Returns the state of that name.
    static func named(_ name: String) throws -> MonitorState { try #require(all.first { $0.name == name }).state }

    static let sizes = [(80, 24), (120, 40), (200, 60), (60, 16), (40, 10), (20, 4), (19, 3)]

    /// Returns the sizes at which the golden file of a state has its screen: all for the two kinds of screens, and else the
    /// usual size with another at which the state shows something else.
    static func goldenSizes(of name: String) -> [(Int, Int)] {
        switch name {
        case "found", "fleet": sizes
        case "forty-satellites": [(80, 24), (120, 40)]
        default: [(80, 24), (40, 10)]
        }
    }
}
