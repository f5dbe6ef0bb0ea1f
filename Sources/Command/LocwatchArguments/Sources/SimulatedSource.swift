package import GPSDSimulation
import Glibc
package import LocationCore
package import LocationGPSD
import LocwatchTerminal

/// A simulated receiver on a pseudo terminal, read by a real private gpsd.
package struct SimulatedSource: SourceKind {
    package static let prefixes = ["sim:"]
    package static let help: KeyValuePairs = [
        "sim:NAME": "a simulated receiver, such as sim:walk; 'locwatch help sim' lists them",
        "sim:FILE.gpx": "a simulated receiver that moves along a track, through NMEA and a gpsd",
        "sim:NAME?OPTION=VALUE&...": "with options, as in sim:walk?rate=5",
    ]

    /// The name of the scenario, or the path of the track.
    private let name: String
    /// Whether the receiver moves along a track.
    private let isTrack: Bool
    private let options: SimulationOptions

    package init(_ word: String, prefix: String) throws(UsageError) {
        let query = SourceQuery(word)
        name = query.subject
        let names = ReceiverScenario.all.map(\.name)
        isTrack = !names.contains(name)
        if isTrack, !name.utf8.contains(where: { "/.".utf8.contains($0) }) {
            let meant = Spelling.nearest(to: name, among: names).map { "; did you mean sim:\($0)?" } ?? ""
            throw .source(
                prefix + word,
                "the simulated receivers are \(EnglishList.and(names)), and a track such as sim:drive.gpx\(meant)")
        }
        do throws(InvalidValue) {
            options = try SimulationOptions(query, isTrack: isTrack)
        } catch {
            throw .source(prefix + word, error.description)
        }
    }

    package var description: String { "sim:\(name)\(options.text)" }
    package var corrections: CorrectionsSource? { options.corrections }
    package var isLine: Bool { true }
    package var isSimulated: Bool { true }
    package var place: String { "the simulated receiver \(isTrack ? "on " : "")\(name)" }

    /// The name of the receiver, without the options and the folder of a track, which is private.
    private var device: String { "sim:" + (name.split(separator: "/").last.map(String.init) ?? name) }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        // The track is read before the session begins, so that a fault in it is an error of its file.
        let scenario = try namedScenario()
        let corrections = try settings.withPassword(self.corrections)
        var options = options
        options.isSimulated = true
        let mayWrite = settings.reading.rate != nil
        return SerialReceiverSource(corrections: corrections, mayWrite: mayWrite, options: options) {
            [device] () throws(LocationError) in
            var settings = SimulatedReceiver.Settings()
            settings.lineSpeed = scenario.sufficientLineSpeed
            do {
                let receiver = try SimulatedReceiver(scenario, settings: settings)
                return AttachedReceiver(path: receiver.path, name: device) { receiver.stop() }
            } catch {
                throw LocationError.system(cause: "cannot simulate a receiver: \(error)")
            }
        }
    }

    package func scenario() throws(LocationError) -> ReceiverScenario? { try namedScenario() }

    private func namedScenario() throws(LocationError) -> ReceiverScenario {
        var scenario = ReceiverScenario.named(name) ?? .walk
        if isTrack {
            let path = try SimulatedTrack(name, speed: options.speed, loops: options.loops).path
            scenario = ReceiverScenario(
                name: name, summary: "moves along a track", route: Route(path.places[0].coordinate))
            scenario.path = path
            scenario.altitude = path.places.lazy.compactMap(\.altitude).first ?? 0
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
