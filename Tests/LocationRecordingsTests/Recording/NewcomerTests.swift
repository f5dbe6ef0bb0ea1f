import LocationCore
import Testing

@testable import LocationRecordings

/// Receivers that are heard for the first time in a recording without times of arrival.
struct NewcomerTests {
    @Test func `the time between two receivers that report one after another has passed`() {
        let first = (0..<5).map { tpv($0, device: "a") }
        let second = (0..<5).map { tpv(1800 + $0, device: "b") }
        #expect(arrivals(first + second) == [0, 1, 2, 3, 4, 1800, 1801, 1802, 1803, 1804])
        let soon = (0..<5).map { tpv(20 + $0, device: "b") }
        #expect(arrivals(first + soon) == [0, 1, 2, 3, 4, 20, 21, 22, 23, 24])
    }

    @Test func `a receiver that is ahead of another one beside it adds no time`() {
        let reports = (0..<5).flatMap { [tpv($0, device: "a"), tpv(1800 + $0, device: "b")] }
        #expect(arrivals(reports) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
        // Before the almanac is there, a receiver is ahead by the leap seconds.
        let leap = (0..<5).flatMap { [tpv($0, device: "a"), tpv(18 + $0, device: "b")] }
        #expect(arrivals(leap) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }

    @Test func `the receivers of a track follow the same rules`() {
        let mark = #"{"class":"LOCWATCH","staleAfter":86400}"#
        let first = (0..<5).map { tpv($0, device: "a") }
        #expect(arrivals([mark] + first + [tpv(1800, device: "b")]) == [0, 1, 2, 3, 4, 1800])
        for lead in [2, 30, 60, 10_800] {
            let reports = (0..<5).flatMap { [tpv($0, device: "a"), tpv(lead + $0, device: "b")] }
            #expect(arrivals([mark] + reports) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
        }
    }

    @Test func `a receiver that continues after the same pause does not contradict it`() {
        let reports = [tpv(0, device: "a"), tpv(1, device: "a"), tpv(900, device: "b"), tpv(901, device: "a")]
        #expect(arrivals(reports) == [0, 1, 900, 901])
    }

    @Test func `the order of lines and events stays, and few of them wait`() {
        let garbage = "not a report"
        let first = (0..<3).map { tpv($0, device: "a") }
        // Its satellites do not tell whether time has passed.
        let sky = #"{"class":"SKY","device":"b","nSat":1,"satellites":[{"PRN":1,"ss":30,"used":true}]}"#
        let lines =
            first + [tpv(600, device: "b"), garbage] + Array(repeating: sky, count: 400) + [tpv(601, device: "b")]
        var reader = SessionReader(includesLines: true)
        var (updates, most) = ([LocationUpdate](), 0)
        for (number, line) in lines.enumerated() {
            updates += reader.updates(of: "\(line)\n".utf8)
            most = max(most, number + 1 - updates.count { if case .line = $0.event { true } else { false } })
        }
        updates += reader.lastUpdates()
        let shown = updates.compactMap {
            if case .line(let line) = $0.event { String(decoding: line, as: UTF8.self) } else { nil }
        }
        #expect(shown == lines)
        #expect(most > 200 && most <= 257)
        #expect(updates.notices == [.linesSkipped(count: 1, cause: "line 5: no JSON object at byte 0")])
        #expect(updates.seconds == updates.seconds.sorted() && updates.seconds.last == 601)
    }

    @Test func `a report with a time of arrival follows those that wait`() {
        let waiting = [tpv(0, device: "a"), tpv(1, device: "a"), tpv(9, device: "b")]
        let text = (waiting + ["2026-11-20 09:00:30.000000: " + tpv(30, device: "a")]).joined(separator: "\n")
        #expect(read(text + "\n").locations.map(\.device) == ["a", "a", "b", "a"])
    }

    @Test func `a receiver whose satellites have a wrong date is new with its first fix`() {
        let old = #"{"class":"SKY","device":"b","time":"2023-10-01T09:00:00.000Z","nSat":1}"#
        let reports = [tpv(0, device: "a"), tpv(1, device: "a"), old, tpv(600, device: "b"), tpv(601, device: "b")]
        #expect(arrivals(reports) == [0, 1, 600, 601])
    }

    @Test func `reports of a receiver that wait in a pipe are emitted after a while`() {
        var reader = SessionReader()
        let reports = [tpv(0, device: "a"), tpv(1, device: "a"), tpv(9, device: "b")]
        var updates = reports.flatMap { reader.updates(of: "\($0)\n".utf8) }
        #expect(updates.locations.count == 2 && reader.isUndated)
        updates += reader.updates(passingTo: Moment(elapsed: .seconds(3), wall: time("12:00:00")))
        updates += reader.lastUpdates()
        #expect(updates.locations.count == 3 && !reader.isUndated && updates.seconds.last == 9)
    }

    @Test func `many receivers that are heard once take no time beyond their own`() {
        let reports = (0..<200).map { tpv($0, device: "receiver-\($0)") }
        #expect(arrivals(reports).last == 199)
    }

    /// The whole seconds at which the positions of a recording with these lines are emitted, in whole chunks and byte by byte.
    ///
    /// The first position of a receiver can be emitted 300 ms after its report.
    private func arrivals(_ reports: [String]) -> [Double] {
        let text = reports.joined(separator: "\n") + "\n"
        func seconds(_ split: Int?) -> [Double] {
            read(text, split: split).filter(\.event.isLocation).map { $0.moment.elapsed.inSeconds.rounded(.down) }
        }
        let whole = seconds(nil)
        #expect(seconds(61) == whole)
        return whole
    }
}
