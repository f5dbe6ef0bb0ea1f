import GPSDSimulation
import LocationCore
import LocationPublishing

/// A simulated receiver of a fleet: a scenario on a route of its own, begun at a time of its own.
struct FleetDevice: Sendable {
    let topic: String
    private let scenario: ReceiverScenario
    private let east: Double
    private let north: Double
    private let begun: Duration
    private var noise: SplitMix64

    /// Creates the device with a number, whose route and losses are determined by a seed.
    init(_ number: Int, _ scenario: ReceiverScenario, seed: UInt64) {
        topic = Self.topic(of: number)
        self.scenario = scenario
        noise = SplitMix64(seed: seed, stream: UInt64(number))
        east = (noise.unit() - 0.5) * 40_000
        north = (noise.unit() - 0.5) * 40_000
        begun = .seconds(noise.unit() * 3600)
    }

    /// The topic of the device with a number.
    static func topic(of number: Int) -> String { "\(prefix)\(number)" }

    /// The filter of the topics of all devices.
    static let filter = "owntracks/fleet/+"
    private static let prefix = "owntracks/fleet/d"

    /// Returns the number of the device with a topic, or `nil` if it is not one of the fleet.
    static func number(of topic: String) -> Int? {
        topic.hasPrefix(prefix) ? Int(topic.dropFirst(prefix.count)) : nil
    }

    /// Returns OwnTracks' message of the position at a time since the start, or `nil` without a fix.
    mutating func message(at elapsed: Duration, _ time: Timestamp) -> [UInt8]? {
        let offset = begun + elapsed
        guard let dimensions = scenario.reception(at: offset).now.dimensions else { return nil }
        let (metres, speed) = scenario.progress(at: offset)
        let (place, course) = scenario.route.place(after: metres)
        let coordinate = Route.moved(
            place, east: east + (noise.unit() - 0.5) * 4, north: north + (noise.unit() - 0.5) * 4)
        let location = Location(
            coordinate: coordinate, fix: dimensions == 3 ? .threeD : .twoD, timestamp: time, horizontalAccuracy: 4,
            altitudeMSL: dimensions == 3 ? scenario.altitude : nil, speed: speed, course: speed > 0 ? course : nil)
        let record = PublishRecord(.moved, created: time, location: location)
        return OwnTracksMessage.location(record, trackerID: "d1")
    }
}
