import LocationCore
import GPSDProtocol
import Testing

/// The integrity of receivers whose reports are recorded without times, with times of arrival, or on several days.
@Suite struct RecordedIntegrityTests {
    private func changes(_ lines: [String]) async throws -> [IntegrityChange] {
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        return try await ReplayProvider(.bytes(text), pace: .max).allTracked().compactMap {
            if case .integrity(let change) = $0 { change } else { nil }
        }
    }

    /// Returns the time of a second of a day of June 2025.
    private func time(_ second: Double, day: Int = 1) -> String {
        let start = Timestamp("2025-06-\(day < 10 ? "0" : "")\(day)T10:00:00Z") ?? .now
        return start.advanced(by: .milliseconds(Int(second * 1000))).formatted(fractionDigits: 3)
    }

    /// Returns a position, with a time of its own and a time of arrival, if any.
    private func line(_ latitude: Double, at time: String? = nil, arriving stamp: String? = nil) -> String {
        (stamp.map { "\($0): " } ?? "") + #"{"class":"TPV","device":"/dev/a","mode":3,"#
            + (time.map { #""time":"\#($0)","# } ?? "")
            + #""lat":\#(latitude),"lon":7.5,"altMSL":240,"eph":5,"speed":0.1}"#
    }

    @Test func `a jump of a receiver without times is suspected by the order of its positions`() async throws {
        let lines = (0..<60).map { line($0 < 40 ? 45 : 45.027) }
        let changes = try await changes(lines)
        #expect(changes.map(\.reasons) == [.jump])
        #expect(changes.first?.message == "moved 3001 m in 1.0 s, more than its speed explains")
    }

    @Test(arguments: [true, false])
    func `the recordings of several days, one after another, are nominal`(isStamped: Bool) async throws {
        let lines = [1, 2, 20].flatMap { day in
            (0..<100).map { second in
                let time = time(Double(second), day: day)
                return line(45 + Double(day) / 10, at: time, arriving: isStamped ? time : nil)
            }
        }
        #expect(try await changes(lines).isEmpty)
    }

    @Test(arguments: [0.25, -0.25])
    func `a clock that walks away from the times of arrival is noticed`(drift: Double) async throws {
        let lines = (0..<160).map { second in
            let walked = drift * Double(min(40, max(0, second - 90)))
            return line(45, at: time(Double(second) + walked), arriving: time(Double(second)))
        }
        #expect(try await changes(lines).map(\.reasons) == [.clock])
    }
}
