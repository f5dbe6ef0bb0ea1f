import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite struct RefclockLinesTests {
    private func lines(_ clocks: ClockStatistics, isKept: Bool = false) -> RefclockLines {
        RefclockLines(ClockReport.all(clocks, isKept: isKept))
    }

    /// Returns the clocks of a receiver whose pulses and messages have an offset in nanoseconds, up and down by a jitter.
    private func clocks(
        pulse: Int64? = nil, message: Int64? = nil, jitter: (pulse: Int64, message: Int64) = (0, 0), seconds: Int = 60,
        units: Bool = true, device: String = ClockSession.device
    ) -> ClockStatistics {
        var clocks = ClockStatistics()
        for second in 0..<seconds {
            let sign: Int64 = second % 2 == 0 ? 1 : -1
            for (source, offset, jitter, unit) in [
                (ClockSample.Source.pulse, pulse, jitter.pulse, 1), (.message, message, jitter.message, 0),
            ] {
                guard let offset else { continue }
                let sample = ClockSession.sample(
                    source, second: second, offset: offset + sign * jitter, unit: units ? unit : nil, device: device)
                clocks.process(.clock(sample), at: ScriptedSession.moment(Double(second)))
            }
        }
        return clocks
    }

    @Test func `messages that come after the pulse need a positive correction`() {
        let lines = lines(clocks(pulse: 3_200_000, message: 146_200_000, jitter: (500, 2_000_000)))
        let pulse = "refclock SHM 1 refid PPS delay 0.000004 precision 1e-7"
        #expect(lines.chrony == ["refclock SHM 0 refid GPS offset 0.143 delay 0.013 precision 1e-1", pulse])
        #expect(lines.ntpsec == ["refclock shm unit 0 refid GPS time1 0.143", "refclock shm unit 1 refid PPS"])
    }

    /// The corrected difference is what chrony and ntpsec take for the error of the system clock: the receiver's time minus
    /// the system's, plus the correction.
    @Test(
        arguments: [-40_000_000, 0, 3_200_000, 900_000_000] as [Int64],
        [35_000_000, 143_000_000, 700_000_000, -357_000_000])
    func `with the correction the messages show the error of the system clock`(error: Int64, delay: Int64) throws {
        let clocks = clocks(pulse: error, message: error + delay)
        let line = try #require(lines(clocks).chrony.first)
        let words = line.split(separator: " ")
        let correction = try #require(words.firstIndex(of: "offset").flatMap { Double(words[$0 + 1]) })
        let text = String(format: "%.3f", correction)
        #expect(lines(clocks).ntpsec.first?.hasSuffix(" time1 \(text)") == true)
        let late = try #require(clocks.all.first?.clock.messages.newest)
        let difference = -Double(late.offsetNanoseconds) / 1e9
        #expect(abs(difference + correction - -Double(error) / 1e9) < 0.001)
    }

    @Test func `without a pulse the synchronized system clock is the reference`() {
        let lines = lines(clocks(message: 143_000_000), isKept: true)
        #expect(lines.chrony == ["refclock SHM 0 refid GPS offset 0.143 delay 0.001 precision 1e-1"])
    }

    @Test func `without a pulse and a synchronized clock the line is marked and has a wide margin`() {
        let lines = lines(clocks(message: 143_000_000))
        #expect(lines.chrony.first?.hasPrefix("# UNKNOWN DELAY") == true)
        #expect(lines.chrony.last == "refclock SHM 0 refid GPS delay 1.0 precision 1e-1")
        #expect(lines.ntpsec.last == "refclock shm unit 0 refid GPS")
        #expect(lines.chrony.dropLast().allSatisfy { $0.hasPrefix("#") })
    }

    @Test func `the comments are wrapped at words, and the lines to copy are whole`() {
        let lines = lines(clocks(message: 143_000_000))
        let text = ClockText(style: TextStyle(columns: 40)).lines(lines, isOfTerminal: true)
        let rows = text.split(separator: "\n")
        let (comments, copied) = (rows.filter { $0.hasPrefix("#") }, rows.filter { !$0.hasPrefix("#") })
        #expect(copied.map(String.init) == [lines.chrony.last, lines.ntpsec.last])
        #expect(comments.allSatisfy { $0.count <= 40 && $0.hasPrefix("# ") }, "\(text)")
        let words = comments.map { $0.dropFirst(2) }.joined(separator: " ")
        #expect(words.components(separatedBy: "Add a network time server").count == 2, "the reason comes once: \(text)")
        #expect(words.components(separatedBy: "UNKNOWN DELAY: this line is only right to a second.").count == 3)
    }

    @Test(arguments: [2_000_000_001, -1_000_000_001, .max, .min] as [Int64])
    func `an impossible delay is not believed`(delay: Int64) {
        #expect(lines(clocks(pulse: 0, message: delay, seconds: 1)).chrony.first?.hasPrefix("# UNKNOWN DELAY") == true)
    }

    @Test func `the pulse of another receiver is a reference too`() {
        var clocks = clocks(pulse: 5_000_000, device: "/dev/pps0")
        for second in 0..<20 {
            clocks.process(
                .clock(ClockSession.sample(.message, second: second, offset: 48_000_000, unit: 2)),
                at: ScriptedSession.moment(Double(second)))
        }
        #expect(
            lines(clocks).chrony == [
                "refclock SHM 1 refid PPS precision 1e-7",
                "refclock SHM 2 refid GPS2 offset 0.043 delay 0.001 precision 1e-1",
            ])
    }

    @Test func `a pulse without a unit goes over chrony's socket`() {
        let lines = lines(clocks(pulse: 0, message: 100_000_000, units: false))
        #expect(lines.chrony.contains("refclock SOCK /run/chrony.ttyS0.sock refid PPS precision 1e-7"))
        #expect(lines.chrony.contains("refclock SHM 0 refid GPS offset 0.100 delay 0.001 precision 1e-1"))
        #expect(lines.ntpsec.contains("refclock shm unit 1 refid PPS"))
    }

    @Test(arguments: [
        "/dev/x y", "/dev/x\nserver evil", "/dev/x;y", "", "/dev/", "/dev/..", "/dev/.x", "/dev/é", "/dev/$(x)",
        "/dev/" + String(repeating: "x", count: 65),
    ])
    func `a device with an unusual name has no socket`(name: String) {
        #expect(RefclockLines.socket(of: name) == nil)
        let lines = lines(clocks(pulse: 0, message: 0, units: false, device: name))
        #expect(!lines.chrony.contains { $0.contains("SOCK") || $0.contains("\n") || $0.contains("evil") })
    }

    @Test(arguments: ["/dev/ttyACM0", "/dev/serial/by-id/ttyACM0", "ttyACM0"])
    func `a device has chrony's socket with its last name`(name: String) {
        #expect(RefclockLines.socket(of: name) == "/run/chrony.ttyACM0.sock")
    }

    @Test func `a hundred receivers have lines for nine`() {
        var clocks = ClockStatistics()
        for device in 0..<100 {
            clocks.process(
                .clock(ClockSession.sample(.message, second: 0, offset: 1, device: "\(device)")),
                at: ScriptedSession.moment(0))
        }
        #expect(lines(clocks, isKept: true).chrony.filter { !$0.hasPrefix("#") }.count == 9)
    }
}
