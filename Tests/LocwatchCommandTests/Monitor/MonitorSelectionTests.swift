import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The receiver that is chosen to be shown, the return to all, and the scrolling of the log.
@Suite struct MonitorSelectionTests {
    private func screen(_ state: MonitorState) -> String { state.screen(columns: 120, rows: 40) }

    /// Reports of several receivers, one a second of each: the receiver `/dev/gps0` is the most accurate.
    private func updates(receivers: Int, seconds: Range<Int>) -> [LocationUpdate] {
        seconds.flatMap { second in
            (0..<receivers).map { number in
                let latitude = 45 + Double(number) / 100
                let location = with(ScriptedSession.location(Double(second), latitude: latitude, longitude: 7)) {
                    ($0.device, $0.horizontalAccuracy) = ("/dev/gps\(number)", 5 + 10 * Double(number))
                    $0.altitudeMSL = 239 + Double(number)
                }
                return LocationUpdate(.location(location), at: Double(second) + 0.1 * Double(number))
            }
        }
    }

    @Test func `a chosen receiver and all of them have their positions and their past at once, and keep them`() {
        var state = MonitorSamples.state(updates(receivers: 2, seconds: 1..<31), at: 31)
        let before = screen(state)
        #expect(before.contains("45.0000000 N") && before.contains("FOUND  3D for"), "\(before)")
        state.choose(.some("/dev/gps1"))
        let chosen = screen(state)
        #expect(chosen.contains("45.0100000 N") && chosen.contains("alt 240.0 m"), "\(chosen)")
        #expect(chosen.contains("FOUND  3D for") && !chosen.contains("no figures yet"), "\(chosen)")
        #expect(state.scene.history.places.count >= 29 && state.scene.history.seconds.count >= 30)
        #expect(state.scene.history.seconds.allSatisfy { $0.accuracy.last.isNaN || $0.accuracy.last == 15 })
        state.choose(nil)
        #expect(screen(state) == before)
        #expect(state.scene.history.places.count >= 29)
    }

    @Test func `the past of a receiver begins before the second one reports`() {
        let alone = updates(receivers: 1, seconds: 1..<21)
        var state = MonitorSamples.state(alone + updates(receivers: 2, seconds: 21..<24), at: 24)
        state.choose(.some("/dev/gps0"))
        #expect(state.scene.history.places.count == 23)
        state.choose(.some("/dev/gps1"))
        #expect(state.scene.history.places.count == 3)
    }

    @Test func `the position of one receiver of many is known when it is chosen`() {
        var state = MonitorSamples.state(updates(receivers: 9, seconds: 1..<6), at: 6)
        for number in (0..<9).reversed() {
            state.choose(.some("/dev/gps\(number)"))
            #expect(state.location?.coordinate.latitude == 45 + Double(number) / 100)
            #expect(screen(state).contains("3D for"), "\(screen(state))")
        }
        state.choose(nil)
        #expect(state.location?.device == "/dev/gps0" && state.location?.altitudeMSL == 239)
    }

    @Test func `the log has the whole search of a receiver, also one for several reasons`() {
        let device = "/dev/gps1"
        let searches: [LocationUpdate] = [
            LocationUpdate(.searching(.noFix(seen: 7, used: 0, best: 24), device: device), at: 1),
            LocationUpdate(.searching(.deviceSilent(path: device), device: device), at: 3),
        ]
        let found = MonitorSamples.location(5, device: device)
        let state = MonitorSamples.state([MonitorSamples.location(0)] + searches + [found], at: 6)
        #expect(state.log.entries.contains { $0.text == "\(device): 3D fix after 5 s" }, "\(state.log.entries)")
    }

    @Test func `a key scrolls no further than to the oldest line`() {
        let notes = (0..<6).map { LocationUpdate(.notice(.message("note \($0)")), at: Double($0)) }
        let state = MonitorSamples.state([MonitorSamples.status()] + notes, at: 6)
        let most = state.log.entries.count - 4
        var view = MonitorView()
        for _ in 0..<20 { #expect(view.process(.up, state, logRows: 4) == nil) }
        #expect(view.scrolled == most && most > 0)
        #expect(view.process(.down, state, logRows: 4) == nil)
        #expect(view.scrolled == most - 1)
    }
}
