import LocationCore
import GPSDProtocol
import Testing

/// Tests of the comparisons of clocks that come from gpsd's TOFF and PPS.
struct ClockReportTests {
    private var session = Session()

    private mutating func samples(_ line: String) -> [ClockSample] {
        session.hear(line).compactMap { if case .clock(let sample) = $0 { sample } else { nil } }
    }

    private static let times = #""real_sec":1795179600,"real_nsec":0,"clock_sec":1795179600,"clock_nsec":143000001"#

    @Test mutating func `TOFF is a comparison at a message`() {
        let line = #"{"class":"TOFF","device":"/dev/ttyS0",\#(Self.times),"precision":-1,"shm":"NTP0"}"#
        #expect(
            samples(line) == [
                ClockSample(
                    .message, device: "/dev/ttyS0",
                    receiverTime: Timestamp(nanosecondsSince1970: 1_795_179_600_000_000_000),
                    hostTime: Timestamp(nanosecondsSince1970: 1_795_179_600_143_000_001), precision: -1,
                    sharedMemoryUnit: 0)
            ])
    }

    @Test mutating func `PPS is a comparison at a pulse`() {
        let line =
            #"{"class":"PPS","device":"/dev/ttyS0","real_sec":1795179601,"real_nsec":0,"clock_sec":1795179600,"#
            + #""clock_nsec":999999000,"precision":-20,"shm":"NTP1","qErr":-12500}"#
        #expect(
            samples(line) == [
                ClockSample(
                    .pulse, device: "/dev/ttyS0",
                    receiverTime: Timestamp(nanosecondsSince1970: 1_795_179_601_000_000_000),
                    hostTime: Timestamp(nanosecondsSince1970: 1_795_179_600_999_999_000), precision: -20,
                    quantizationError: -12_500, sharedMemoryUnit: 1)
            ])
    }

    @Test mutating func `times before 1970 are times`() {
        let line = #"{"class":"PPS","real_sec":-2,"real_nsec":500000000,"clock_sec":-1,"clock_nsec":0}"#
        #expect(
            samples(line) == [
                ClockSample(
                    .pulse, receiverTime: Timestamp(nanosecondsSince1970: -1_500_000_000),
                    hostTime: Timestamp(nanosecondsSince1970: -1_000_000_000))
            ])
    }

    @Test(arguments: [
        #""real_sec":1,"real_nsec":0,"clock_sec":1"#, #""real_sec":1,"real_nsec":0,"clock_nsec":1"#, "",
        #""real_sec":1,"real_nsec":1000000000,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":1,"real_nsec":-1,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":9223372037,"real_nsec":0,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":9223372036,"real_nsec":999999999,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":-9223372037,"real_nsec":0,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":9223372036854775807,"real_nsec":0,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":-9223372036854775808,"real_nsec":999999999,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":"1","real_nsec":0,"clock_sec":1,"clock_nsec":0"#,
        #""real_sec":1e30,"real_nsec":0,"clock_sec":1,"clock_nsec":0"#,
    ])
    mutating func `a report without two possible times gives no comparison`(fields: String) {
        let rest = fields.isEmpty ? "" : "," + fields
        for kind in ["TOFF", "PPS"] { #expect(samples(#"{"class":"\#(kind)","device":"/dev/a"\#(rest)}"#).isEmpty) }
    }

    @Test mutating func `the largest possible times are compared without an overflow`() throws {
        let line =
            #"{"class":"PPS","real_sec":-9223372036,"real_nsec":0,"clock_sec":9223372036,"clock_nsec":854775807,"#
            + #""precision":9223372036854775807,"qErr":-9223372036854775808}"#
        let sample = try #require(samples(line).first)
        #expect(sample.offsetNanoseconds == .max)
        #expect(sample.precision == .max && sample.quantizationError == .min)
    }

    @Test(
        arguments: [
            ("NTP0", 0), ("NTP255", 255), ("NTP256", nil), ("NTP-1", nil), ("NTP", nil), ("NTP1;", nil), ("", nil),
            ("SHM1", nil), ("NTP99999999999999999999", nil),
        ] as [(String, Int?)])
    mutating func `the unit of the shared memory is a number from 0 to 255`(text: String, unit: Int?) throws {
        let sample = try #require(samples(#"{"class":"TOFF",\#(Self.times),"shm":"\#(text)"}"#).first)
        #expect(sample.sharedMemoryUnit == unit)
    }
}
