import GPSDSimulation
import LocationCore
import GPSDProtocol
import LocationTesting
import TestSupport

@testable import LocationGPSD

extension StandInGPSD {
    /// Creates a stand-in that plays a number of positions by hand.
    convenience init(positions count: Int = 10, faults: [StandInFault] = []) throws {
        var settings = Settings()
        settings.advance = .byHand
        settings.faults = faults
        let session = RecordedText.session(RecordedText.positions(count))
        try self.init(StandInRecording(session), settings: settings)
    }

    var endpoint: GPSDEndpoint { .loopback(port) }

    func source(_ timeouts: ConnectionTimeouts = .hasty, reconnects: Bool = true) -> GPSDLocationSource {
        GPSDLocationSource(endpoint, timeouts, reconnects: reconnects)
    }

    /// Waits until one client watches.
    func untilWatched() async throws {
        try await eventually("a client that watches", within: .seconds(60), { progress.watchers }, is: { $0 == 1 })
    }
}

extension GPSDEndpoint {
    static func loopback(_ port: UInt16, device: String? = nil) -> GPSDEndpoint {
        GPSDEndpoint(host: "127.0.0.1", port: String(port), device: device)
    }
}

extension GPSDLocationSource {
    /// Creates a source with the timeouts of a test.
    init(_ endpoint: GPSDEndpoint, _ timeouts: ConnectionTimeouts, reconnects: Bool = true) {
        var options = SessionOptions()
        options.reconnects = reconnects
        options.timeouts = timeouts
        self.init(endpoint, options: options)
    }
}

extension ConnectionTimeouts {
    /// Timeouts for tests that wait until they expire.
    static var hasty: ConnectionTimeouts {
        var patience = ConnectionTimeouts()
        patience.connecting = .seconds(5)
        // gpsd sends no greeting while it probes its device.
        patience.greeting = .seconds(5)
        patience.silence = .seconds(1)
        patience.longestSilence = .seconds(4)
        patience.absence = .seconds(2)
        patience.answer = .seconds(3)
        patience.retries = RetryPauses(first: .milliseconds(50), longest: .milliseconds(400))
        return patience
    }
}

extension RecordedSession {
    var isFound: Bool { states.last?.location != nil }
    /// Returns whether a newer position is current; the first reports of a receiver may come before it knows the time.
    func isFound(after time: Timestamp?) -> Bool {
        guard isFound, let last = locations.last?.timestamp else { return false }
        return time.map { last > $0 } ?? true
    }
    var events: [LocationEvent] { updates.map(\.event) }
    var authorizations: [AuthorizationStatus] {
        events.compactMap { if case .authorization(let status) = $0 { status } else { nil } }
    }
    var notices: [Notice.NoticeContent] { events.compactMap(\.notice) }
    /// The lines of the daemon, if they were asked for.
    var lines: [String] {
        events.compactMap { if case .line(let line) = $0 { String(decoding: line, as: UTF8.self) } else { nil } }
    }
    /// The number of skipped lines according to the notices.
    var skippedLines: Int {
        notices.reduce(0) { sum, notice in
            if case .linesSkipped(let count, _) = notice { sum + count } else { sum }
        }
    }
    func hasSearched(_ kind: String) -> Bool {
        events.contains { if case .searching(let reason, _) = $0 { reason.code == kind } else { false } }
    }
}
