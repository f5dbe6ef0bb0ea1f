import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The line of the monitor about a receiver that is not to be believed.
@Suite struct IntegrityBoxTests {
    /// The reports of a receiver whose signals are low from 60 to 100 s, with interference from 75 s on.
    private static let jammed: [LocationUpdate] = {
        var updates = [MonitorSamples.status()]
        for second in 2...200 {
            let isJammed = 60..<100 ~= second
            let satellites = [48.0, 46, 44, 43, 41, 39, 36, 34, 31].enumerated().map { index, signal in
                Satellite(constellation: .gps, number: index + 1, signal: isJammed ? signal - 15 : signal, isUsed: true)
            }
            let sky = SkyView(satellites: satellites, device: MonitorSamples.device)
            updates.append(LocationUpdate(.satellites(sky), at: Double(second)))
            updates.append(MonitorSamples.location(Double(second)))
            let report = ReceiverReport(device: MonitorSamples.device, jamming: isJammed && second >= 75 ? 230 : 20)
            updates.append(LocationUpdate(.receiver(report), at: Double(second)))
        }
        return updates
    }()

    @Test(arguments: [ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 40, rows: 24)])
    func `the line appears with the first reason, changes with the next, and is gone after the last`(
        _ size: ScreenSize
    ) {
        var encoder = FrameEncoder(depth: .sixteen)
        var terminal = TerminalModel(columns: size.columns, rows: size.rows)
        var state = MonitorState(place: "pi.local", now: ScriptedSession.moment(0))
        var tracker = Tracker()
        var lines: [String?] = []
        for update in Self.jammed {
            tracker.play([update]) { state.process($0, $1) }
            // The last report of each second is drawn, as on a screen.
            guard case .receiver = update.event else { continue }
            terminal.write(encoder.bytes(for: Monitor.render(state, MonitorView(), size: size)))
            let shown = terminal.text.split(separator: "\n").map(String.init)
            #expect(shown.allSatisfy { $0.count <= size.columns })
            // Another box is to the right of a border.
            let line = shown.first { $0.contains("suspect: ") || $0.contains("alarm: ") }?.prefix { $0 != "│" }
                .trimmingPrefix(" ").split(separator: "  ").first.map(String.init)
            if lines.isEmpty || lines.last != line { lines.append(line) }
        }
        #expect(terminal.unknown == [])
        #expect(lines == [nil, "suspect: signal", "alarm: signal, receiver", "suspect: signal", nil])
    }
}
