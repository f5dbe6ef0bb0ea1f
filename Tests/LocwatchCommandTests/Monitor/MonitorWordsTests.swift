import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The units, names and words of the monitor.
@Suite struct MonitorWordsTests {
    private func text(_ state: MonitorState, _ view: MonitorView = MonitorView(), columns: Int = 80) -> String {
        state.screen(columns: columns, rows: 40, view)
    }

    /// Returns the state of a receiver, or of a device of a fleet, with one position a second ago.
    private func state(ofFleet isFleet: Bool = false, _ change: (inout Location) -> Void) -> MonitorState {
        let location = with(ScriptedSession.location(20, latitude: 45.07, longitude: 7.68)) {
            if isFleet { $0.device = "van-1" }
            change(&$0)
        }
        return MonitorSamples.state([LocationUpdate(.location(location), at: 20)], at: 21, ofFleet: isFleet)
    }

    /// Returns the state of a fleet with a device of which the broker has kept a position of some time.
    private func stateOfKept(at seconds: Double = 2, since time: Double = 0) -> MonitorState {
        let known = with(ScriptedSession.location(time, latitude: 45.07, longitude: 7.68)) { $0.device = "van-1" }
        return MonitorSamples.state(
            [LocationUpdate(.notice(.lastKnown(known)), at: 1)], at: seconds, ofFleet: true)
    }

    @Test(arguments: [(Units.imperial, ["mph", "ft"]), (.nautical, ["kn"])])
    func `every speed and length has the chosen units`(units: Units, names: [String]) {
        let state = state {
            ($0.climb, $0.speedAccuracy) = (0.5, 0.4)
            ($0[.ecefX], $0[.ecefY], $0[.ecefZ]) = (4_470_000, 602_000, 4_490_000)
            ($0[.ecefVelocityX], $0[.ecefVelocityY], $0[.ecefVelocityZ]) = (1, 2, 3)
            $0[.ecefVelocityAccuracy] = 0.3
        }
        let view = with(MonitorView()) { $0.units = units }
        let screen = text(state, view, columns: 200)
        for name in ["climb", "err speed", "V "] { #expect(screen.contains(name), "\(screen)") }
        #expect(!screen.contains("m/s"), "\(screen)")
        for name in names { #expect(screen.contains(" \(name)")) }
        if units == .imperial { #expect(!screen.contains("4470000"), "\(screen)") }
    }

    /// The attitude of the receiver of the position, that of a compass beside it, and what is up in the sky then.
    private static let tops: [(own: Attitude?, other: Attitude?, title: String, words: String)] = [
        (nil, nil, "sky, course up", "course"),
        (Attitude(heading: 77.6, pitch: 2.5), nil, "sky, heading up", "heading 78°  pitch 2.5°"),
        (Attitude(headingMagnetic: 74), nil, "sky, magnetic up", "heading 74° magnetic"),
        (nil, Attitude(heading: 180, roll: -3, device: "/dev/compass"), "sky, heading up", "heading 180°  roll -3.0°"),
        (
            Attitude(heading: 90), Attitude(heading: 180, device: "/dev/compass"), "sky, heading up", "heading 90°"
        ),
    ]

    @Test(arguments: tops.indices)
    func `the sky turns by the heading, or else by the course, and says which it is`(_ index: Int) throws {
        let (own, other, title, words) = Self.tops[index]
        let location = with(ScriptedSession.location(20, latitude: 45.07, longitude: 7.68)) {
            $0.course = 40
            ($0.heading, $0.headingMagnetic, $0.pitch) = (own?.heading, own?.headingMagnetic, own?.pitch)
        }
        let compass = other.map { [LocationUpdate(.attitude($0), at: 20)] } ?? []
        let state = MonitorSamples.state(
            compass + [MonitorSamples.sky(8, used: 4, at: 20), LocationUpdate(.location(location), at: 20)], at: 21)
        let view = with(MonitorView()) { $0.isHeadingUp = true }
        #expect(text(state, view).contains("─ \(title) ─"))
        #expect(text(state).contains("─ sky ─"))
        let screen = text(state, view, columns: 120)
        if words != "course" { #expect(screen.contains(words), "\(screen)") }
        let expected = own?.heading ?? own?.headingMagnetic ?? other?.heading ?? 40
        #expect(state.top?.azimuth == expected)
    }

    @Test func `without a heading and a course north stays up, and a compass alone turns the sky`() {
        let view = with(MonitorView()) { $0.isHeadingUp = true }
        let sky = MonitorSamples.sky(8, used: 4, at: 20)
        #expect(text(MonitorSamples.state([sky], at: 21), view).contains("─ sky, north up ─"))
        let compass = LocationUpdate(.attitude(Attitude(headingMagnetic: 45, device: "/dev/compass")), at: 20)
        let state = MonitorSamples.state([compass, sky], at: 21)
        #expect(text(state, view).contains("─ sky, magnetic up ─"))
        #expect(text(state, view).contains("heading 45° magnetic") && text(state, view).contains("no position yet"))
    }

    @Test(arguments: [(MonitorGlyphs.braille, "err course 2.5°"), (.ascii, "err course 2.5 deg")])
    func `the error of the course has its unit`(glyphs: MonitorGlyphs, words: String) {
        let view = with(MonitorView()) { $0.glyphs = glyphs }
        let screen = text(state { $0.courseAccuracy = 2.5 }, view, columns: 120)
        #expect(screen.contains(words), "\(screen)")
    }

    @Test(arguments: [(0.5, nil), (1.2, 1.2), (1.3, 1.2), (1.2, 0.5)] as [(Double?, Double?)])
    func `the errors of a speed that is within its own error are not shown`(speedError: Double?, speed: Double?) {
        let state = state { ($0.speed, $0.speedAccuracy, $0.courseAccuracy) = (speed, speedError, 30) }
        let screen = text(state, columns: 120)
        let isShown = speed.map { $0 >= speedError ?? 0 } ?? false
        #expect(screen.contains("err speed") == isShown && screen.contains("err course") == isShown, "\(screen)")
    }

    @Test func `only an access that is not given is in the log, and a count of no satellites is not that of a fix`() {
        for (status, used) in [(AuthorizationStatus.authorized, 0), (.denied, 3)] {
            let updates = [
                LocationUpdate(.authorization(status), at: 1), MonitorSamples.sky(4, used: used, at: 19),
                MonitorSamples.location(20),
            ]
            let screen = text(MonitorSamples.state(updates, at: 20), columns: 120)
            #expect(screen.contains("access") == (status == .denied), "\(screen)")
            #expect(screen.contains("access     denied") == (status == .denied), "\(screen)")
            #expect(screen.contains("\(used)/4") == (used > 0), "\(screen)")
        }
    }

    @Test func `a corrected position shows its quality, the age of the corrections and their station`() {
        let state = state {
            $0.quality = .rtkFixed
            ($0[.dgpsAge], $0[count: .dgpsStation]) = (1.5, 77)
        }
        let screen = text(state, columns: 100)
        #expect(screen.contains("RTK fixed") && screen.contains("corrections 1.5 s old, station 77"), "\(screen)")
    }

    @Test func `the title names a simulated receiver by its word if there is no room for a sentence`() {
        let state = MonitorSamples.state(
            [MonitorSamples.location(2)], at: 2, place: "the simulated receiver walk", word: "sim:walk")
        #expect(text(state, columns: 100).contains(" locwatch  the simulated receiver walk"))
        #expect(text(state, columns: 44).contains(" locwatch  sim:walk "))
    }

    @Test(arguments: [
        (DegreeStyle.minutes, "45°04.200'N 007°40.800'E", "45°04.20000'N, 007°40.80000'E ±17.7 ft"),
        (.seconds, "45°04'12.0\"N 007°40'48.0\"E", "45°04'12.000\"N, 007°40'48.000\"E ±17.7 ft"),
    ])
    func `the table of a fleet and the log have the chosen degrees and units, also of what was before`(
        degrees: DegreeStyle, row: String, entry: String
    ) {
        var view = MonitorView()
        (view.degrees, view.units) = (degrees, .imperial)
        for columns in [80, 160] {
            let screen = text(state(ofFleet: true) { _ in }, view, columns: columns)
            #expect(screen.contains("van-1") && screen.contains(row), "\(screen)")
        }
        let state = state { _ in }
        #expect(text(state, view, columns: 160).contains(entry))
        view.filter = "17.7 ft"
        #expect(text(state, view, columns: 160).contains(entry))
    }

    @Test(arguments: [(19.95, "19.9"), (2.85, "2.9")])
    func `an accuracy is the same in the position, the history and the list of devices`(accuracy: Double, shown: String)
    {
        let state = state { $0.horizontalAccuracy = accuracy }
        let lines = text(state).split(separator: "\n")
        #expect(lines.count { $0.contains("±\(shown) m") } >= 2, "\(lines)")
        #expect(lines.contains { $0.contains("acc m") && $0.contains(" \(shown) ") }, "\(lines)")
    }

    @Test func `the scatter around a reference that is far away is that of the figures beside it`() throws {
        let updates = (1..<20).map { second in
            let location = ScriptedSession.location(Double(second), latitude: 50.87, longitude: 4.33)
            return LocationUpdate(.location(location), at: Double(second))
        }
        let reference = ReferencePoint(Coordinate(latitude: 46, longitude: 7))
        let screen = text(MonitorSamples.state(updates, at: 19, reference: reference), columns: 120)
        let median = try #require(screen.firstMatch(of: /CEP50 ([0-9.]+ km)/)).1
        #expect(screen.contains("50 % \(median)"), "\(screen)")
    }

    /// Returns the state after positions, one a second, that are metres apart to the north.
    private func moving(_ steps: [Double], speed: Double?) -> MonitorState {
        var way = 0.0
        let updates = steps.enumerated().map { index, step in
            way += step
            let second = Double(index)
            let location = with(ScriptedSession.location(second, latitude: 45 + way / 111_200, longitude: 7)) {
                $0.speed = speed.map { _ in step }
            }
            return LocationUpdate(.location(location), at: second)
        }
        return MonitorSamples.state(updates, at: Double(steps.count))
    }

    @Test(arguments: [1, nil] as [Double?])
    func `the ground shows the track while a receiver moves, and else the scatter of where it stands`(speed: Double?) {
        let walk = [Double](repeating: 4, count: 60)
        let stop = [Double](repeating: 0, count: 100)
        let walking = text(moving(walk, speed: speed), columns: 120)
        #expect(walking.contains("─ track ─") && walking.contains("m wide, north up"), "\(walking)")
        let standing = text(moving(walk + stop, speed: speed), columns: 120)
        #expect(standing.contains("─ scatter ─") && standing.contains(/95 % [0-9]\.[0-9]+ m/), "\(standing)")
        let still = text(moving(Array(stop.prefix(20)), speed: speed), columns: 120)
        #expect(still.contains("─ scatter ─") && still.contains(" 20 positions"), "\(still)")
    }

    @Test func `the key t shows the ground on a small screen, then its other picture, and then what suits`() {
        let state = moving([Double](repeating: 4, count: 60), speed: 1)
        for (isShown, pictures) in [
            (false, [.shown, .scatter, .automatic]), (true, [.scatter, .automatic, .scatter]),
        ] as [(Bool, [MonitorView.Ground])] {
            var view = MonitorView()
            let seen = pictures.map { _ in
                _ = view.process(.character("t"), state, showsGround: isShown || view.ground != .automatic)
                return view.ground
            }
            #expect(seen == pictures)
        }
    }

    @Test func `both distances of the scatter have the unit of the greater one`() throws {
        let steps = (0..<200).map { $0 % 10 == 9 ? 900.0 : $0 % 10 == 0 && $0 > 0 ? -900 : 0 }
        let view = with(MonitorView()) { $0.ground = .scatter }
        let screen = text(moving(steps, speed: nil), view, columns: 120)
        #expect(screen.contains(/50 % [0-9.]+ km/) && screen.contains(/95 % [0-9.]+ km/), "\(screen)")
    }

    @Test
    func `receivers whose names differ in the middle only have different short names, and a single one has no column`()
    {
        func state(_ folders: [String]) -> MonitorState {
            MonitorSamples.state(
                folders.map { MonitorSamples.location(2, device: "/tmp/locwatch-\($0)/receiver") }, at: 3)
        }
        for columns in [80, 120] {
            let both = text(state(["Pf1Ldn", "Pq7Xyz"]), columns: columns)
            #expect(both.contains("Pf1Ldn") && both.contains("Pq7Xyz") && both.contains("─ 2 devices ─"), "\(both)")
            let one = text(state(["Pf1Ldn"]), columns: columns)
            #expect(one.contains("─ /tmp/locwatch-Pf1Ldn/receiver ─"), "\(one)")
            #expect(one.split(separator: "\n").contains { $0.contains("│ found      1 s") }, "\(one)")
        }
    }

    @Test func `a device whose position the broker has kept is last known, in the list and when it is opened`() {
        var state = stateOfKept()
        let list = text(state, columns: 120)
        for words in ["van-1", "last known", "45.07000 7.68000"] { #expect(list.contains(words), "\(list)") }
        state.choose(.some("van-1"))
        let device = text(state, columns: 120)
        for words in ["45.0700000 N", "LAST KNOWN", "no newer report"] { #expect(device.contains(words), "\(device)") }
    }

    @Test func `the age of a position that was on its way, or that the broker has kept, is that of the position`() {
        let late = text(state(ofFleet: true) { $0.timestamp = ScriptedSession.time(20 - 3600) }, columns: 120)
        #expect(late.contains("60 min"), "\(late)")
        let kept = text(stateOfKept(at: 21, since: -299), columns: 120)
        #expect(kept.contains("5 min"), "\(kept)")
    }
}
