public import LocationCore

/// A reproducible receiver that stands still and is attacked after a while.
///
/// It reports a position and its satellites each second. ``ScriptStep/spoofed(at:after:)`` and ``ScriptStep/jammed(at:after:)`` make it.
public struct AttackedReceiver: Hashable, Sendable {
    package enum Attack: String, Hashable, Sendable, CaseIterable {
        /// Noise covers the signals of all satellites: they fall by 15 dB, and the receiver reports interference.
        case jammed
        /// One transmitter imitates all satellites: equally strong signals, of other satellites, from 5 km away.
        case spoofed
        /// The position is elsewhere from one second to the next, 2 km away, and nothing else changes.
        case teleported
        /// The date is 1,024 weeks too early.
        case rolledOver
    }

    package var attack: Attack
    package var place: Coordinate
    package let before: Int
    package let during: Int
    package var device: String?
    package var seed: UInt64

    /// Creates a receiver that stands at a true place for some seconds before the attack and during it.
    package init(
        _ attack: Attack, at place: Coordinate, before: Int = 90, during: Int = 60, device: String? = nil,
        seed: UInt64 = 1
    ) {
        self.attack = attack
        self.place = place
        self.before = max(0, before)
        self.during = max(0, during)
        self.device = device
        self.seed = seed
    }

    /// The number of its seconds.
    var seconds: Int { before.addingReportingOverflow(during).overflow ? .max : before + during }

    /// Returns the events of a second of the receiver's time: a position, its satellites and, while it is jammed, the
    /// receiver's own report.
    func events(at second: Int, wall: Timestamp) -> [LocationEvent] {
        var random = SplitMix64(seed: seed, stream: UInt64(clamping: second))
        let isAttacked = second >= before
        var location = Location(
            coordinate: place.destination(distance: random.unit() * 2, bearing: random.unit() * 360),
            timestamp: wall, device: device, horizontalAccuracy: 4, altitudeMSL: 240 + random.unit(),
            speed: random.unit() * 0.2)
        var (level, spread, first) = (47.0, 16.0, 1)
        var reports: [LocationEvent] = []
        if second == 0, attack == .jammed { reports.append(.receiver(ReceiverReport(device: device, jamming: 20))) }
        if isAttacked {
            switch attack {
            case .jammed:
                level -= 15
                reports.append(.receiver(ReceiverReport(device: device, jamming: 180)))
            case .spoofed:
                location.coordinate = place.destination(distance: 5000, bearing: 90)
                (level, spread, first) = (49, 1, 20)
            case .teleported: location.coordinate = place.destination(distance: 2000, bearing: 45)
            case .rolledOver: location.timestamp = wall.advanced(by: .seconds(-1024 * 7 * 86_400))
            }
        }
        let satellites = (0..<10).map { index in
            Satellite(
                constellation: .gps, number: first + index, elevation: Double(10 + 8 * index),
                azimuth: Double(36 * index), signal: level - spread * Double(9 - index) / 9 + random.unit() * 0.5,
                isUsed: true)
        }
        return reports + [.location(location), .satellites(SkyView(satellites: satellites, device: device))]
    }
}

extension ScriptStep {
    /// Returns a step that plays a receiver that is spoofed after some seconds: equally strong signals, of
    /// other satellites, from 5 km away.
    ///
    /// - Parameters:
    ///   - place: The true place.
    ///   - before: The number of seconds before the attack; a negative one counts as none.
    public static func spoofed(at place: Coordinate, after before: Int = 90) -> ScriptStep {
        .attacked(AttackedReceiver(.spoofed, at: place, before: before))
    }

    /// Returns a step that plays a receiver that is jammed after some seconds: noise covers all signals, which
    /// fall by 15 dB, and the receiver reports interference.
    ///
    /// - Parameters:
    ///   - place: The true place.
    ///   - before: The number of seconds before the attack; a negative one counts as none.
    public static func jammed(at place: Coordinate, after before: Int = 90) -> ScriptStep {
        .attacked(AttackedReceiver(.jammed, at: place, before: before))
    }
}
