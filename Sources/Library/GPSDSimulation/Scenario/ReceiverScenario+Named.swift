import LocationCore

extension ReceiverScenario {
    /// All named scenarios, in the order in which to list them.
    public static let all: [ReceiverScenario] = [
        standstill, walk, drive, coldStart, tunnel, indoors, flat, burst, noise, rollover, future, unplug,
        jammed, spoofed, teleport, rtk, compass, ublox,
    ]

    /// Returns the scenario with a name, or `nil` if there is none.
    public static func named(_ name: String) -> ReceiverScenario? {
        all.first { $0.name == name }
    }

    /// A stationary receiver.
    public static let standstill = ReceiverScenario(
        name: "standstill", summary: "lies still under an open sky", route: Route(.park))

    /// A walk along a river, there and back.
    public static let walk = ReceiverScenario(
        name: "walk", summary: "walks along a river, there and back", route: .riverside,
        motion: Motion(speed: 1.35, swing: 0.15, period: .seconds(20)))

    /// A drive around some blocks, with stops.
    public static let drive = ReceiverScenario(
        name: "drive", summary: "drives around town and stops every 45 seconds", route: .avenues,
        motion: Motion(speed: 9, swing: 1, period: .seconds(45))
    ).with { $0.rate = 5 }

    /// A receiver that is switched on for the first time in months.
    public static let coldStart = ReceiverScenario(
        name: "coldstart", summary: "hears nothing, then satellites, then has a 2D and at last a 3D fix",
        route: Route(.park),
        stages: [
            Stage(.dark, for: .seconds(5)), Stage(.weak(2), for: .seconds(5)), Stage(.weak(5), for: .seconds(8)),
            Stage(.fix2D, for: .seconds(5)), Stage(.fix3D),
        ])

    /// A drive that repeatedly goes through a tunnel.
    public static let tunnel = ReceiverScenario(
        name: "tunnel", summary: "drives, loses the fix in a tunnel for 12 seconds, finds it again",
        route: .avenues, motion: Motion(speed: 13),
        stages: [
            Stage(.fix3D, for: .seconds(20)), Stage(.blocked, for: .seconds(12)), Stage(.fix3D, for: .seconds(8)),
        ],
        repeats: true)

    /// A receiver far from any window.
    public static let indoors = ReceiverScenario(
        name: "indoors", summary: "hears a few weak satellites and never has a fix", route: Route(.park),
        stages: [
            Stage(.weak(3), for: .seconds(9)), Stage(.weak(1), for: .seconds(4)), Stage(.weak(4), for: .seconds(7)),
        ],
        repeats: true)

    /// A receiver that has only a 2D fix.
    public static let flat = ReceiverScenario(
        name: "flat", summary: "has a 2D fix only: a position without an altitude", route: .riverside,
        motion: Motion(speed: 1.35), stages: [Stage(.fix2D)])

    /// A receiver that reports each epoch three times.
    public static let burst = ReceiverScenario(
        name: "burst", summary: "reports each epoch three times, each time with more data", route: .riverside,
        motion: Motion(speed: 1.35)
    ).with { $0.reportsPerEpoch = 3 }

    /// A walk with a bad cable.
    public static let noise = walk.with {
        $0.name = "noise"
        $0.summary = "walks with a bad cable: garbage, torn sentences, wrong checksums"
        $0.noise = LineNoise(garbage: 0.5, torn: 0.04, damaged: 0.04)
    }

    /// A receiver built more than 1,024 weeks ago, whose date is that much too early.
    public static let rollover = walk.with {
        $0.name = "rollover"
        $0.summary = "walks with a date that is 1,024 weeks too early, which gpsd corrects, so that the date is right"
        $0.weeksOff = -1024
    }

    /// A receiver with a date in the future, which gpsd accepts.
    public static let future = walk.with {
        $0.name = "future"
        $0.summary =
            "walks with a date that is 1,024 weeks too late, which gpsd passes on: suspect, by the rule rollover"
        $0.weeksOff = 1024
    }

    /// A receiver that is repeatedly unplugged.
    public static let unplug = ReceiverScenario(
        name: "unplug", summary: "walks; the receiver is unplugged after 15 seconds and back after 10 more",
        route: .riverside, motion: Motion(speed: 1.35),
        stages: [Stage(.fix3D, for: .seconds(15)), Stage(.unplugged, for: .seconds(10))], repeats: true)

    /// A stationary receiver whose signals are covered by noise.
    public static let jammed = ReceiverScenario(
        name: "jammed", summary: "lies still; after 20 seconds noise weakens all signals by 15 dB for a minute",
        route: Route(.park), stages: [Stage(.fix3D, for: .seconds(20)), Stage(.jammed, for: .seconds(60))],
        repeats: true)

    /// A stationary receiver whose satellites are imitated by a transmitter.
    public static let spoofed = ReceiverScenario(
        name: "spoofed", summary: "lies still; after 20 seconds equally strong signals show it 3 km away for a minute",
        route: Route(.park), stages: [Stage(.fix3D, for: .seconds(20)), Stage(.spoofed, for: .seconds(60))],
        repeats: true)

    /// A stationary receiver whose position leaps.
    public static let teleport = ReceiverScenario(
        name: "teleport", summary: "lies still; after 20 seconds its position is 3 km away for a minute",
        route: Route(.park), stages: [Stage(.fix3D, for: .seconds(20)), Stage(.displaced, for: .seconds(60))],
        repeats: true)

    /// A stationary receiver that takes corrections.
    public static let rtk = ReceiverScenario(
        name: "rtk",
        summary: "lies still and gets corrections: RTK float after 5 seconds, fixed after 20; at 40 the caster is lost",
        route: Route(.park)
    ).with { $0.corrections = ScenarioCorrections() }

    /// A boat with a compass.
    public static let compass = ReceiverScenario(
        name: "compass",
        summary: "sails along a river with a compass, whose heading swings 12 degrees to windward of the course",
        route: .riverside, motion: Motion(speed: 2.5)
    ).with { $0.compass = ScenarioCompass() }

    /// A stationary receiver that takes the commands of gpsd's driver for u-blox.
    package static let ublox = ReceiverScenario(
        name: "ublox", summary: "lies still and takes commands as a u-blox receiver: 'devices --rate' changes its rate",
        route: Route(.park)
    ).with { $0.commands = ScenarioCommands(.uBlox) }

    private func with(_ change: (inout ReceiverScenario) -> Void) -> ReceiverScenario {
        var scenario = self
        change(&scenario)
        return scenario
    }
}

extension Coordinate {
    fileprivate static let park = Coordinate(latitude: 45.0548, longitude: 7.6865)
}

extension Route {
    fileprivate static let riverside = Route(
        Coordinate(latitude: 45.0548, longitude: 7.6865), Coordinate(latitude: 45.0571, longitude: 7.6889),
        Coordinate(latitude: 45.0598, longitude: 7.6921), Coordinate(latitude: 45.0622, longitude: 7.6960))

    fileprivate static let avenues = Route(
        Coordinate(latitude: 45.0676, longitude: 7.6623), Coordinate(latitude: 45.0736, longitude: 7.6688),
        Coordinate(latitude: 45.0781, longitude: 7.6745), Coordinate(latitude: 45.0742, longitude: 7.6823),
        Coordinate(latitude: 45.0689, longitude: 7.6790), Coordinate(latitude: 45.0676, longitude: 7.6623))
}
