import Foundation
import LocationCore
@testable import LocationPublishing
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

/// All consumers of a session show the same position as the current one, that of the tracker.
@Suite(.serialized, .withClocks, .onlyInMakeTest) struct CurrentPositionConsumersTests {
    private static let (good, poor) = ("/dev/good", "/dev/poor")

    private static func fix(_ seconds: Double, _ device: String, isLate: Bool = false) -> (Double, LocationEvent) {
        let isGood = device == good
        var location = Location(
            coordinate: Coordinate(latitude: (isGood ? 45 : 46) + seconds / 1000, longitude: 7),
            timestamp: ScriptedSession.time(isLate ? seconds - 3 : seconds), device: device,
            horizontalAccuracy: isGood ? 3 : 300)
        location.received = ScriptedSession.time(seconds)
        location.isLate = isLate
        return (seconds, .location(location))
    }

    /// Two receivers alternate; the good one falls silent and is replaced, a failure interrupts both, the poor one continues
    /// alone, and the good one returns and is clearly better for ten seconds.
    private static let session: [(at: Double, event: LocationEvent)] = {
        let error = LocationError.connectionLost(host: "pi", port: 2947, cause: "end of file")
        let together = (0..<10).flatMap { [fix(Double($0), good), fix(Double($0) + 0.5, poor)] }
        let alone = (10..<20).map { fix(Double($0) + 0.5, poor) }
        let again = (20..<34).flatMap { [fix(Double($0), good), fix(Double($0) + 0.5, poor)] }
        let troubles: [(Double, LocationEvent)] = [
            fix(5.2, good, isLate: true), fix(6.7, poor, isLate: true), fix(14.7, poor, isLate: true),
            (15.6, .failure(error)), (15.7, .searching(.connecting(attempt: 2))), (15.8, .failure(error)),
        ]
        return (together + alone + again + troubles).sorted { $0.0 < $1.0 }.map { (at: $0.0, event: $0.1) }
    }()

    /// Calls `take` with each result of a tracker, and `check` with the view after each event and each deadline.
    private static func play(
        _ take: (TrackedUpdate, SessionView) throws -> Void, _ check: (SessionView, Moment) throws -> Void
    ) rethrows {
        var tracker = Tracker()
        for (time, event) in session {
            let update = LocationUpdate(event, at: time)
            while let due = tracker.deadline, due <= update.moment {
                try tracker.play([], until: due, take)
                try check(tracker.view, due)
            }
            try tracker.play([update], take)
            try check(tracker.view, update.moment)
        }
    }

    private static var script: [ScriptStep] {
        var script: [ScriptStep] = []
        var last = 0.0
        for (time, event) in session {
            script.append(.wait(.seconds(time - last)))
            last = time
            switch event {
            case .location(let location): script.append(.location(location))
            case .searching(let reason, let device): script.append(.searching(reason, device: device))
            case .failure(let error, _): script.append(.error(error))
            default: break
            }
        }
        return script + [.end]
    }

    /// The consumers that are values.
    private struct Consumers {
        var printer = JSONPrinter(selection: EventSelection(everyReceiver: true))
        var lines = LineReader()
        var web = WebState(.standard, Settings())
        var page = LineReader()
        var monitor = MonitorState(place: "x", now: ScriptedSession.moment(0))
        var bar = BarModel(style: TextStyle(), localTime: .utc)
        var detector: HookDetector
        /// The receiver and the position of the last event for hooks; that of a handover has no position.
        var hook: (device: String, position: ShownPosition?)?

        init() throws {
            let hooks = "--on found=x --on lost=x --on error=x --on handover=x --on every=x"
            detector = HookDetector(try Invocation.of(hooks).settings)
        }

        mutating func process(_ update: TrackedUpdate, _ view: SessionView) throws {
            var out = TextBuffer()
            printer.print(update, view, into: &out)
            try lines.read(out.written.split(separator: 0x0A).map(Array.init), isNews: true)
            try page.read(web.process(update, view), isNews: true)
            monitor.process(update, view)
            bar.process(update, view)
            for event in detector.events(of: update, view) {
                switch event.kind {
                case .lost, .error: hook = nil
                default:
                    guard let device = event.device else { break }
                    let latitude = event.kind == .handover ? nil : event.coordinate?.latitude
                    hook = (device, latitude.map { ShownPosition(device: device, latitude: $0) })
                }
            }
        }

        /// Expects that each consumer shows a position.
        func expect(_ shown: ShownPosition?, at time: Double) throws {
            var reader = LineReader()
            try reader.read(web.lines, isNews: false)
            for (place, position) in [
                ("watch -j", lines.shown), ("the open page", page.shown),
                ("/location", try ShownPosition(json: web.location)), ("a page that is loaded", reader.shown),
                ("the monitor's state", monitor.state.location.map(ShownPosition.init)),
                ("the monitor", (monitor.isCurrent ? monitor.location : nil).map(ShownPosition.init)),
                ("the bar", bar.state.location.map(ShownPosition.init)),
            ] { #expect(position == shown, "\(place) at \(time)") }
            #expect(hook?.device == shown?.device, "a hook at \(time)")
            if let position = hook?.position { #expect(position == shown, "a hook at \(time)") }
        }
    }

    @Test func `every part of the command shows the same position as the current one after each update`() throws {
        var consumers = try Consumers()
        var (handovers, devices): ([String], Set<String?>) = ([], [])
        try Self.play { update, view in
            if case .handover(let handover) = update { handovers.append(handover.reason.code) }
            try consumers.process(update, view)
        } _: { view, moment in
            devices.insert(view.location?.device)
            try consumers.expect(view.location.map(ShownPosition.init), at: moment.elapsed.inSeconds)
        }
        #expect(handovers == ["silent", "better"])
        #expect(devices == [Self.good, Self.poor, nil])
    }

    @Test func `publish sends each current position, and a heartbeat the one that is current then`() async throws {
        let scratch = try Scratch()
        // The target refuses the connection, so that the queue keeps the records.
        let result = try await CommandTrial.run(
            "publish --heartbeat 1100ms --queue \(scratch.path("queue")) mqtt://127.0.0.1:1/a/b x", Self.script)
        #expect(result.code == .unavailable, "\(result.errors)")
        let records = try PublishQueue(scratch.path("queue")).records(from: 1, limit: 1000).map(\.record)
        var (current, shown, losses): ([ShownPosition], [(time: Duration, position: ShownPosition?)], Int) = ([], [], 0)
        Self.play { update, _ in
            if let position = update.position, position.standing == .current {
                current.append(ShownPosition(position.location))
            }
            if case .transition(let change) = update, change.from.location != nil, change.to.location == nil {
                losses += 1
            }
        } _: { view, moment in
            shown.append((moment.elapsed, view.location.map(ShownPosition.init)))
        }
        #expect(
            records.filter { [.moved, .found].contains($0.occasion) }.compactMap(\.location).map(ShownPosition.init)
                == current)
        #expect(losses > 0 && records.count { $0.occasion == .lost } == losses)
        let start = try #require(records.first?.created)
        let beats = records.filter { $0.occasion == .heartbeat }
        #expect(beats.count >= 3)
        for beat in beats {
            let time = beat.created.since(start)
            #expect(beat.location.map(ShownPosition.init) == shown.last { $0.time < time }?.position, "at \(time)")
        }
    }

    @Test func `the lines of watch -j have the standing once a second receiver has reported`() async throws {
        let usual = try await CommandTrial.run("watch -j x", Self.script).texts("location", "device", "standing")
        #expect(usual.first == Self.good)
        #expect(Set(usual.dropFirst().map { $0.split(separator: " ").last }) == ["current", "late"])
        let all = try await CommandTrial.run("watch -j --all-devices x", Self.script)
            .texts("location", "device", "standing")
        #expect(all.count { $0.hasSuffix(" late") } == 3)
        let lateOfPoor = Self.poor + " late"
        #expect(all.filter { !$0.hasSuffix(" other") && $0 != lateOfPoor } == usual.filter { $0 != lateOfPoor })
        #expect(all.count == Self.session.count - 3)
    }
}
