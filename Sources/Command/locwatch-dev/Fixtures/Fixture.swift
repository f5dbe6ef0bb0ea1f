import GPSDSimulation
import LocationCore

/// A description of a session to record: its receivers, and the actions of the client.
struct Fixture: Sendable {
    enum Step: Sendable {
        /// Reads lines until this many different epochs have been reported by all devices together.
        case epochs(Int)
        /// Reads lines until the receivers have finished and no further line arrives.
        case rest
        case listen(Duration)
        case send(String)
        case unplug
        case plugIn
    }

    var name: String
    var shows: String
    var receivers: [ReceiverScenario]
    /// The time for which the receivers transmit, or `nil` for the whole recording.
    var duration: Duration?
    var speedup = 2.0
    /// The release of the gpsd that records it.
    var release = "3.22"
    var steps: [Step] = [.rest]

    static let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)
    static let watch = "?WATCH={\"enable\":true,\"json\":true};"

    /// The device names; each receiver has its own seed, so the skies differ.
    static let deviceNames = ["ttyACM0", "ttyUSB0"]

    func encoder(_ index: Int) -> ScenarioEncoder {
        ScenarioEncoder(receivers[index], seed: UInt64(index) + 1, start: Fixture.start, duration: duration)
    }

    static let all: [Fixture] = [
        firstFix, walk, fixLostAndFound, noFix, twoDevices, severalReportsAnEpoch, unplugged, noDevice, dualBand,
        skiesInParts,
    ]

    static let firstFix = Fixture(
        name: "first-fix",
        shows: "A cold start: nothing heard, then satellites of four systems, then a 2D fix, then a 3D fix.",
        receivers: [
            ReceiverScenario.coldStart.with(stages: [
                .init(.dark, for: .seconds(4)), .init(.weak(2), for: .seconds(4)), .init(.weak(6), for: .seconds(4)),
                .init(.fix2D, for: .seconds(2)), .init(.fix3D),
            ])
        ],
        duration: .seconds(18))

    static let walk = Fixture(
        name: "walk", shows: "A walk of forty seconds along a river, with a 3D fix of GPS alone.",
        receivers: [ReceiverScenario.walk.with(systems: [.gps])], duration: .seconds(40))

    static let fixLostAndFound = Fixture(
        name: "fix-lost-and-found", shows: "A drive with a 3D fix, lost in a tunnel for eight seconds and found again.",
        receivers: [
            ReceiverScenario.tunnel.with(
                systems: [.gps],
                stages: [
                    .init(.fix3D, for: .seconds(8)), .init(.blocked, for: .seconds(8)), .init(.fix3D, for: .seconds(8)),
                ])
        ],
        duration: .seconds(24))

    static let noFix = Fixture(
        name: "no-fix", shows: "A receiver indoors: one to four satellites, all too weak, and never a position.",
        receivers: [.indoors], duration: .seconds(20))

    static let twoDevices = Fixture(
        name: "two-devices", shows: "Two receivers at one gpsd: one is carried on a walk, the other lies still.",
        receivers: [ReceiverScenario.walk.with(systems: [.gps]), ReceiverScenario.standstill.with(systems: [.gps])],
        duration: .seconds(14))

    static let severalReportsAnEpoch = Fixture(
        name: "several-reports-an-epoch",
        shows: "A receiver whose order of sentences changes, so that gpsd reports each epoch at least three times, "
            + "growing from a position without altitude to everything.",
        receivers: [ReceiverScenario.burst.with(systems: [.gps])], duration: .seconds(14))

    static let unplugged = Fixture(
        name: "unplugged",
        shows: "A walk in which the receiver is unplugged and plugged in again. gpsd 3.22 reports neither; "
            + "the answers to `?DEVICES;` and `?POLL;` show it.",
        receivers: [ReceiverScenario.walk.with(systems: [.gps])],
        steps: [
            .epochs(8), .unplug, .listen(.seconds(3)), .send("?DEVICES;"), .listen(.seconds(2)), .plugIn,
            .listen(.seconds(3)), .send("?POLL;"), .listen(.seconds(4)), .send(Fixture.watch), .listen(.seconds(6)),
        ])

    static let noDevice = Fixture(
        name: "no-device", shows: "A gpsd without devices.", receivers: [],
        steps: [.listen(.seconds(2)), .send("?DEVICES;"), .send("?POLL;"), .listen(.seconds(2))])

    static let dualBand = Fixture(
        name: "dual-band",
        shows: "A walk with a u-blox of two bands: gpsd 3.25 reports the satellites of each epoch, then their signals.",
        receivers: [ReceiverScenario.walk.with(systems: [.gps, .galileo], isUBlox: true)], duration: .seconds(10),
        release: "3.25")

    static let skiesInParts = Fixture(
        name: "skies-in-parts",
        shows: "A walk with sentences of two systems: gpsd 3.25 reports the satellites and the dilutions of an epoch "
            + "apart.",
        receivers: [ReceiverScenario.walk.with(systems: [.gps, .galileo])], duration: .seconds(14), release: "3.25")
}

extension ReceiverScenario {
    fileprivate func with(
        systems: [SatelliteSystem]? = nil, stages: [Stage]? = nil, isUBlox: Bool = false
    ) -> ReceiverScenario {
        var changed = self
        changed.isUBlox = isUBlox
        if let systems { changed.systems = systems }
        if let stages {
            changed.stages = stages
            changed.repeats = false
        }
        return changed
    }
}
