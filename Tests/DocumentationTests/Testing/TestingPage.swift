import LocationCore
import LocationRecordings
import LocationTesting
import Testing

@MainActor final class PositionModel {
    private(set) var line = "Searching …"

    func follow(_ provider: some LocationProvider) async {
        do throws(LocationError) {
            for try await change in provider.states() { show(change.to) }
        } catch {
            line = "Cannot go on: \(error.code)"
        }
    }

    private func show(_ state: LocationState) {
        line =
            switch state {
            case .searching(.silent): "No word from the receiver"
            case .searching: "Searching …"
            case .found(let location): "\(location.coordinate.latitude), \(location.coordinate.longitude)"
            case .error(let error): "Trouble: \(error.code)"
            }
    }
}

@MainActor @Test func `the model shows where we are`() async throws {
    let source = ScriptedLocationSource(
        [.searching(.noFix(seen: 7, used: 2, best: 31)), .location(52.5163, 13.3777)], clock: ManualClock())
    let model = PositionModel()
    let following = Task { await model.follow(source) }
    try await eventually("the model shows the place") {
        model.line
    } is: {
        $0 == "52.5163, 13.3777"
    }
    following.cancel()
}

@MainActor @Test func `trouble is shown, and forgotten when it is over`() async throws {
    let source = ScriptedLocationSource(clock: ManualClock())
    let model = PositionModel()
    let following = Task { await model.follow(source) }

    source.forceError(.connectionLost(host: "localhost", port: 2947, cause: "reset by peer"))
    try await eventually("the trouble") {
        model.line
    } is: {
        $0 == "Trouble: connectionLost"
    }

    source.forceLocation(48.2082, 16.3738)
    try await eventually("the place") {
        model.line
    } is: {
        $0 == "48.2082, 16.3738"
    }

    source.forceAuthorization(.denied)
    try await eventually("the refusal") {
        model.line
    } is: {
        $0 == "Trouble: denied"
    }

    source.end(throwing: .deviceUnknown(path: "/dev/ttyACM0"))
    await following.value
    #expect(model.line == "Cannot go on: deviceUnknown")
}

@MainActor @Test func `a receiver that falls silent is noticed`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource([.location(52.5163, 13.3777)], clock: clock)
    let model = PositionModel()
    let following = Task { await model.follow(source) }
    try await clock.untilSleeping()
    #expect(model.line == "52.5163, 13.3777")

    clock.advance(by: .seconds(3))
    try await eventually("the silence") {
        model.line
    } is: {
        $0 == "No word from the receiver"
    }
    following.cancel()
}

@Test func `asking once gives up when its time is over`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource([.searching(.noFix(seen: 7, used: 2, best: 31))], clock: clock)
    let asking = Task { try await source.current(accuracy: 20, within: .seconds(30)) }
    try await clock.untilSleeping()
    clock.advance(by: .seconds(30))
    let error = await #expect(throws: LocationError.self) { try await asking.value }
    #expect(error?.code == "noFix")
}

@MainActor @Test func `who goes away lets go of the receiver`() async throws {
    let source = ScriptedLocationSource()
    let model = PositionModel()
    let following = Task { await model.follow(source) }
    try await source.untilRunning()
    following.cancel()
    await following.value
    #expect(source.calls == [.started(.everything), .stopped])
}

@Test func `half a recording is half a walk`() async throws {
    var answer = RecordedAnswer(lines: [
        #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:00.000Z","lat":52.5163,"lon":13.3777}"#,
        #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:01.000Z","lat":52.5164,"lon":13.3777}"#,
    ])
    answer.pace = .max
    answer.faults = [.tear(line: 2, atByte: 30)]
    let recording = try await LocationRecorder(ScriptedLocationSource([.replay(answer), .end])).untilEnded()
    #expect(recording.locations.map(\.coordinate.latitude) == [52.5163])
}

func answerWithGaps(_ path: String) -> RecordedAnswer {
    var answer = RecordedAnswer(.path(path))
    answer.pace = .max
    answer.bandwidth = 960  // bytes a second, as on a line with 9,600 baud
    answer.faults = [.lose(line: 3), .repeatLine(5), .corrupt(bytes: 2, seed: 7)]
    return answer
}

func walk(at times: [String]) -> RecordedAnswer {
    RecordedAnswer(
        lines: times.map {
            #"{"class":"TPV","mode":3,"time":"2026-05-01T\#($0).000Z","lat":52.5163,"lon":13.3777}"#
        })
}

@Test func `the walk is found again after the connection was lost`() async throws {
    var start = walk(at: ["12:00:00", "12:00:01"])
    start.responseTime = .seconds(2)
    let clock = ManualClock()
    let lost = LocationError.connectionLost(host: "pi.local", port: 2947, cause: "reset by peer")
    let source = ScriptedLocationSource(
        [.replay(start), .error(lost), .wait(.seconds(10)), .replay(walk(at: ["12:00:13"])), .end], clock: clock)
    let recorder = LocationRecorder(source)
    let end = Task { try await recorder.untilEnded() }
    let recording = try await clock.advance(untilEndOf: end)
    #expect(StatePattern.match([.searching, .found, .errorCode("connectionLost"), .found], recording.states))
    #expect(clock.now.elapsed == .seconds(13))
}
