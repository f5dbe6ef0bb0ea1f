package import GPSDSimulation
import Glibc
package import LocationCore
import LocationGPSD
import LocwatchTerminal

/// A simulated receiver on a pseudo terminal, read by a real private gpsd.
package struct SimulatedSource: SourceKind {
    package static let prefixes = ["sim:"]
    package static let help = [
        (
            term: "sim:NAME",
            meaning: "a simulated receiver, such as sim:walk; 'locwatch help sim' lists them"
        ),
        (term: "sim:FILE.gpx", meaning: "a simulated receiver that moves along a track, through NMEA and a gpsd"),
        (
            term: "sim:NAME?OPTION=VALUE&...",
            meaning: "with options, as in sim:walk?rate=5"
        ),
    ]

    /// The scenario or the track of a simulated receiver.
    enum Subject: Hashable, Sendable {
        case scenario(String)
        case track(path: String)
    }

    let subject: Subject
    let options: SimulationOptions

    init(name: String) {
        subject = .scenario(name)
        options = SimulationOptions()
    }

    package init(_ word: String, prefix: String) throws(UsageError) {
        let query = SourceQuery(word)
        let name = query.subject
        let names = ReceiverScenario.all.map(\.name)
        if names.contains(name) {
            subject = .scenario(name)
        } else if Self.isPath(name) {
            subject = .track(path: name)
        } else {
            let meant = Spelling.nearest(to: name, among: names).map { "; did you mean sim:\($0)?" } ?? ""
            throw .source(
                prefix + word,
                "the simulated receivers are \(EnglishList.and(names)), and a track such as sim:drive.gpx\(meant)")
        }
        do throws(InvalidValue) {
            options = try SimulationOptions(query, isTrack: !names.contains(name))
        } catch {
            throw .source(prefix + word, error.description)
        }
    }

    /// Returns whether a word names a file instead of a scenario.
    private static func isPath(_ word: String) -> Bool {
        word.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }

    /// The path of the track, if the receiver moves along one.
    private var track: String? {
        if case .track(let path) = subject { path } else { nil }
    }

    private var name: String {
        switch subject {
        case .scenario(let name): name
        case .track(let path): path
        }
    }

    package var source: Source { .simulated(self) }
    package var description: String { "sim:\(name)\(options.text)" }
    package var place: String { track.map { "the simulated receiver on \($0)" } ?? "the simulated receiver \(name)" }

    /// The name of the receiver, without the options and the folder of a track, which is private.
    private var device: String { "sim:" + (name.split(separator: "/").last.map(String.init) ?? name) }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        // The track is read before the session begins, so that a fault in it is an error of its file.
        let scenario = try scenario()
        let corrections = try settings.withPassword(self.options.corrections)
        return SerialReceiverSource(corrections: corrections, options: options) { [device] () throws(LocationError) in
            let receiver = try SimulatedReceiver(simulating: scenario)
            return AttachedReceiver(path: receiver.path, name: device) { receiver.stop() }
        }
    }

    /// Returns the scenario with its options.
    package func scenario() throws(LocationError) -> ReceiverScenario {
        var scenario: ReceiverScenario
        switch subject {
        case .scenario(let name): scenario = ReceiverScenario.named(name) ?? .walk
        case .track(let path):
            let track = try SimulatedTrack(path, speed: options.speed, loops: options.loops)
            scenario = ReceiverScenario(
                name: path, summary: "moves along a track", route: Route(track.path.places[0].coordinate))
            scenario.path = track.path
            scenario.altitude = track.path.places.lazy.compactMap(\.altitude).first ?? 0
            scenario.positionError = 0
        }
        if let latitude = options.latitude, let longitude = options.longitude,
            let start = Coordinate(checking: latitude, longitude)
        {
            scenario.route = scenario.route.starting(at: start)
        }
        if let speed = options.speed { scenario.motion.speed = speed }
        if let noise = options.noise { scenario.positionError = noise }
        if let rate = options.rate { scenario.rate = rate }
        return scenario
    }
}

extension SimulatedReceiver {
    /// Creates a simulated receiver at real time.
    package convenience init(simulating scenario: ReceiverScenario) throws(LocationError) {
        var settings = Settings()
        settings.lineSpeed = scenario.sufficientLineSpeed
        do {
            try self.init(scenario, settings: settings)
        } catch {
            throw LocationError.other(code: "simulation", message: "cannot simulate a receiver: \(error)")
        }
    }
}
