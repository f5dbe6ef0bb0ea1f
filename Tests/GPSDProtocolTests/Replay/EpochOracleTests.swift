import LocationCore
import GPSDProtocol
import TestSupport
import Testing

/// The positions of recorded receivers, compared with the lines of the recordings.
///
/// It is not said here how an epoch is put together, only what a recording shows of it: its times, its numbers and their sums.
@Suite struct EpochOracleTests {
    /// The figures of a recording: how many positions it has, how many of them are late or have no time, and sums over all.
    private struct Figures: Equatable {
        var positions = 0, late = 0, untimed = 0
        /// The sums of the numbers under gpsd's names.
        var latitude = 0.0, altitude = 0.0, speed = 0.0, accuracy = 0.0

        init(
            _ positions: Int, late: Int = 0, untimed: Int = 0, lat: Double = 0, altMSL: Double = 0, speed: Double = 0,
            eph: Double = 0
        ) {
            (self.positions, self.late, self.untimed) = (positions, late, untimed)
            (latitude, altitude, self.speed, accuracy) = (lat, altMSL, speed, eph)
        }

        init(_ positions: [Location]) {
            func sum(_ number: (Location) -> Double?) -> Double {
                (positions.reduce(0) { $0 + (number($1) ?? 0) } * 1e6).rounded() / 1e6
            }
            self.init(
                positions.count, late: positions.count { $0.isLate }, untimed: positions.count { $0.timestamp == nil },
                lat: sum(\.coordinate.latitude), altMSL: sum(\.altitudeMSL), speed: sum(\.speed),
                eph: sum(\.horizontalAccuracy))
        }
    }

    /// The figures of the recordings in Fixtures, counted and summed in their lines by another program.
    private static let figures: [String: Figures] = [
        "clock/session.json": Figures(300, lat: 13516.44, altMSL: 71700, eph: 1260),
        "dual-band/session.json": Figures(9, lat: 405.493572, altMSL: 2154.977, speed: 12.15, eph: 19.14),
        "first-fix/session.json": Figures(6, lat: 270.328757, altMSL: 954.8, eph: 115.71),
        "fix-lost-and-found/session.json": Figures(16, lat: 721.098575, altMSL: 3822.8, speed: 208, eph: 270.56),
        "no-device/session.json": Figures(0),
        "no-fix/session.json": Figures(0),
        "several-reports-an-epoch/session.json": Figures(
            14, lat: 630.768015, altMSL: 3351.1, speed: 18.9, eph: 236.74),
        "skies-in-parts/session.json": Figures(14, lat: 630.768007, altMSL: 3350.015, speed: 19.379, eph: 191.52),
        "two-devices/session.json": Figures(28, lat: 1261.535261, altMSL: 6685.4, speed: 19.379, eph: 606.48),
        "unplugged/session.json": Figures(8, lat: 360.438614, altMSL: 1916.4, speed: 10.243, eph: 135.28),
        "walk/session.json": Figures(40, lat: 1802.199417, altMSL: 9538.7, speed: 54.01, eph: 676.4),
        "receivers/bu303-moving.json": Figures(12, lat: 557.979791, altMSL: 16146.3216, speed: 1.092, eph: 577.6),
        "receivers/garmin17n.json": Figures(2, late: 1, lat: 104.43813, altMSL: 274.4, eph: 8.55),
        "receivers/garmin18x-bin.json": Figures(29, lat: 853.922749, altMSL: 7158.5612, speed: 1.19, eph: 375.117),
        "receivers/haicom-305N.json": Figures(67, lat: -1823.119638, altMSL: 561.6, speed: 69.296, eph: 6384),
        "receivers/oncore-binary-pos-hold.json": Figures(10, lat: 577.128314, altMSL: 480.681),
        // Its first epoch is reported six times before gpsd has the time, and is one position.
        "receivers/skytraq-PX1172RH_DS.json": Figures(9, lat: 396.619066, altMSL: 10148.67, eph: 136.8),
        "receivers/trimble-smtx-dr.json": Figures(38, lat: 1674.616284, altMSL: 42922.121),
        "receivers/ublox-zed-f9p-rtk.json": Figures(10, lat: 471.290928, altMSL: 8265.352, speed: 0.17, eph: 3.039),
    ]

    /// What consecutive reports of a device say of one time.
    private struct Said {
        var time: Timestamp?
        var numbers: [String: Set<Double>] = [:]
        var places: Set<[Double]> = []

        mutating func add(_ report: [String: Any], _ place: [Double]) {
            places.insert(place)
            for (key, value) in report.compactMapValues({ $0 as? Double }) { numbers[key, default: []].insert(value) }
        }
    }

    /// A recording, and the updates of its replay.
    private struct Reading {
        /// The times of each device in the order of the lines, of which one comes again if the clock of the receiver is set back.
        var timed: [String: [Said]] = [:]
        /// What all reports without a time of each device say.
        var untimed: [String: Said] = [:]
        var hasSky = false
        let tracked: [TrackedUpdate]

        init(_ session: SampleRecording) async throws {
            tracked = try await ReplayProvider(.path(session.path), pace: .max).allTracked()
            for report in try session.reports {
                if report["class"] as? String == "SKY" { hasSky = true }
                guard let place = EpochOracleTests.place(report) else { continue }
                let device = report["device"] as? String ?? ""
                guard let text = report["time"] as? String else {
                    untimed[device, default: Said()].add(report, place)
                    continue
                }
                let time = try #require(Timestamp(text))
                var said = timed[device] ?? []
                if said.last?.time != time { said.append(Said(time: time)) }
                said[said.count - 1].add(report, place)
                timed[device] = said
            }
        }

        var updates: [LocationUpdate] {
            tracked.compactMap { if case .update(let update, _) = $0 { update } else { nil } }
        }
        var positions: [Location] { updates.compactMap(\.location) }
        var positionsByDevice: [String: [Location]] { Dictionary(grouping: positions) { $0.device ?? "" } }

        /// Returns the positions of a device that have a time, each with what is said of that.
        func timedPositions(of device: String) -> Zip2Sequence<[Location], [Said]> {
            zip(positions.filter { $0.device ?? "" == device && $0.timestamp != nil }, timed[device] ?? [])
        }
    }

    /// Returns the latitude and longitude of a report with a position.
    private static func place(_ report: [String: Any]) -> [Double]? {
        guard report["class"] as? String == "TPV", report["mode"] as? Int ?? 0 >= 2,
            let latitude = report["lat"] as? Double, let longitude = report["lon"] as? Double,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return [latitude, longitude]
    }

    private static func numbers(of location: Location) -> [String: Double] {
        [
            "mode": location.fix == .threeD ? 3 : 2, "altMSL": location.altitudeMSL, "altHAE": location.altitudeHAE,
            "speed": location.speed, "track": location.course, "climb": location.climb,
            "eph": location.horizontalAccuracy, "epv": location.verticalAccuracy, "eps": location.speedAccuracy,
            "geoidSep": location.geoidSeparation,
        ].compactMapValues(\.self)
    }

    /// The readings of all recordings by their paths, which all tests share.
    private static let readings = Task {
        var readings: [String: Reading] = [:]
        for session in SampleRecording.all { readings[session.path] = try await Reading(session) }
        return readings
    }

    private func reading(_ session: SampleRecording) async throws -> Reading {
        try #require(try await Self.readings.value[session.path])
    }

    @Test(arguments: SampleRecording.all)
    func `each time of a receiver is one position, and neither a time nor a place is missing`(
        session: SampleRecording
    ) async throws {
        let reading = try await reading(session)
        let positions = reading.positionsByDevice
        #expect(Set(positions.keys) == Set(reading.timed.keys).union(reading.untimed.keys))
        for (device, positions) in positions {
            let timed = positions.filter { $0.timestamp != nil }
            let times = timed.compactMap(\.timestamp)
            #expect(times == reading.timed[device]?.compactMap(\.time) ?? [])
            #expect(timed.dropFirst().map(\.isLate) == zip(times, times.dropFirst()).map { $0 > $1 })
            #expect(!positions.contains { $0.isLate && $0.timestamp == nil } && positions.first?.isLate == false)
            let places = Set(positions.map { [$0.coordinate.latitude, $0.coordinate.longitude] })
            #expect(reading.untimed[device]?.places.isSubset(of: places) ?? true)
        }
        #expect(reading.updates.contains { if case .satellites = $0.event { true } else { false } } == reading.hasSky)
        // The values of a receiver must not be taken for implausible ones.
        let notices = reading.updates.compactMap { if case .notice(let notice) = $0.event { notice.code } else { nil } }
        #expect(!notices.contains("implausibleValue"))
    }

    private func expect(_ position: Location, isSaidBy said: Said) {
        #expect(said.places.contains([position.coordinate.latitude, position.coordinate.longitude]))
        let invented = Self.numbers(of: position).filter { said.numbers[$0.key]?.contains($0.value) != true }
        #expect(invented == [:], "\(position.device ?? "") \(position.timestamp?.description ?? "")")
        // With an accuracy of zero a receiver says that it states none.
        #expect(position.horizontalAccuracy ?? 1 > 0 && position.verticalAccuracy ?? 1 > 0)
    }

    @Test(arguments: SampleRecording.all)
    func `a position has the place of one report of its time, and each number stands in one of them`(
        session: SampleRecording
    ) async throws {
        let reading = try await reading(session)
        for (device, positions) in reading.positionsByDevice {
            for (position, said) in reading.timedPositions(of: device) { expect(position, isSaidBy: said) }
            for position in positions where position.timestamp == nil {
                expect(position, isSaidBy: try #require(reading.untimed[device]))
            }
        }
    }

    @Test(arguments: SampleRecording.all)
    func `a position has each number of its time, except the first one whose number came late`(
        session: SampleRecording
    ) async throws {
        let reading = try await reading(session)
        for device in reading.timed.keys {
            let lost = reading.timedPositions(of: device).flatMap { position, said in
                let known = Self.numbers(of: position)
                return Self.keys.filter { known[$0] == nil && said.numbers[$0]?.contains { $0 != 0 } == true }
            }
            let counts = Dictionary(lost.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(counts.allSatisfy { $0.value == 1 }, "\(device): \(counts)")
        }
    }

    private static let keys = ["altMSL", "altHAE", "eph", "epv", "speed", "track", "climb", "eps", "geoidSep"]

    @Test func `the figures of each recording in Fixtures are those of its lines`() async throws {
        let readings = try await Self.readings.value
        let own = SampleRecording.all.filter(\.isFixture)
        #expect(Set(own.map(\.testDescription)) == Set(Self.figures.keys))
        for session in own {
            let positions = try #require(readings[session.path]).positions
            #expect(Figures(positions) == Self.figures[session.testDescription], "\(session)")
        }
    }

    @Test(arguments: SampleRecording.all)
    func `every pace gives the same updates and a state that agrees with them`(session: SampleRecording) async throws {
        let reading = try await reading(session)
        #expect(try await ReplayProvider(.path(session.path), pace: .times(1e9)).allTracked() == reading.tracked)
        let found = reading.tracked.contains {
            if case .transition(let change) = $0 { change.reason == .fix } else { false }
        }
        #expect(found == reading.positions.contains { !$0.isLate })
    }
}
