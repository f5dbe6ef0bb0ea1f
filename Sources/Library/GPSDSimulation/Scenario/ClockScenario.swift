package import LocationCore
import GPSDProtocol
import LocwatchSupport

/// A host's clock and a receiver with a pulse, as data, and the recording of a session in which gpsd compares the two.
///
/// gpsd looks for no pulse on a pseudo terminal, so a simulated receiver that a real gpsd reads has none; only its
/// messages are compared, and the simulation decides when they come. The recording is generated instead, in the form in
/// which gpsd 3.25 reports; no gpsd takes part. Play it to a client with `StandInGPSD`, or replay it.
package struct ClockScenario: Hashable, Sendable {
    /// The receiver's time at the start.
    package var start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)
    package var seconds = 300
    /// The offset of the host's clock at the start: positive if it is ahead.
    package var offset = Duration.microseconds(3200)
    /// The drift of the host's clock in parts per million: positive if it is too fast.
    package var drift = 12.5
    /// The standard deviation of the pulses' offsets.
    package var jitter = Duration.nanoseconds(900)
    /// The delay of the messages on the data line.
    package var delay = Duration.milliseconds(143)
    /// The standard deviation of that delay.
    package var delayJitter = Duration.milliseconds(4)
    /// The range of the pulse's quantisation error.
    package var quantization = Duration.nanoseconds(11)
    /// The seconds since the start in which the receiver sends no pulse.
    package var silence: Range<Int> = 120..<130
    /// Whether the receiver sends pulses at all.
    package var hasPulse = true
    /// The path of the receiver.
    package var device = "/dev/ttyS0"
    /// The segment of NTP's shared memory for the messages; the next one is for the pulses.
    package var unit = 0
    /// The seed of the random numbers.
    package var seed: UInt64 = 1

    /// Creates a clock that is 3.2 ms ahead and 12.5 ppm too fast, and a receiver that loses its pulse for ten seconds.
    package init() {}

    /// Returns the recording, in the format of `locwatch record`.
    package func recording() -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var writer = RecordingWriter()
        let begin = hostTime(0)
        var bytes = writer.header(
            source: "generated", version: "fixture", at: Moment(elapsed: .zero, wall: begin))
        func record(_ line: String, at time: Timestamp) {
            bytes += writer.record(Array(line.utf8), at: Moment(elapsed: time.since(begin), wall: time))
        }
        let path = JSONText.quoted(device)
        let range: Double = quantization / .nanoseconds(1) * 1000
        record(#"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#, at: begin)
        record(
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":\#(path),"driver":"u-blox","activated":"\#(start)""#
                + #","bps":9600,"parity":"N","stopbits":1,"cycle":1.00}]}"#, at: begin)
        record(#"{"class":"WATCH","enable":true,"json":true,"pps":true}"#, at: begin)
        for second in 1...max(1, seconds) {
            let receiver = start.advanced(by: .seconds(second))
            let (pulse, message) = (random.normal(), random.normal())
            let share: Double = random.unit() * 2 - 1
            let error = Int(clamping: (share * range).rounded())
            if hasPulse, !silence.contains(second) {
                let host = hostTime(second).advanced(by: jitter * pulse)
                record(
                    comparison("PPS", path, receiver, host, precision: -20, unit: unit + 1)
                        + #","qErr":\#(error)}"#, at: host)
            }
            let late = hostTime(second).advanced(by: delay + delayJitter * message)
            record(comparison("TOFF", path, receiver, late, precision: -1, unit: unit) + "}", at: late)
            record(
                #"{"class":"TPV","device":\#(path),"mode":3,"time":"\#(receiver)","leapseconds":18,"lat":45.054800000"#
                    + #","lon":7.686500000,"altHAE":287.2000,"altMSL":239.0000,"eph":4.200,"epv":6.100}"#,
                at: late.advanced(by: .milliseconds(40)))
        }
        return bytes
    }

    /// Returns the time of the host's clock at a second since the start, without jitter.
    private func hostTime(_ second: Int) -> Timestamp {
        let drifted = Duration.nanoseconds(Int64(clamping: (Double(second) * drift * 1000).rounded()))
        return start.advanced(by: .seconds(second) + offset + drifted)
    }

    /// Returns the members of a comparison, with gpsd's own spaces.
    private func comparison(
        _ name: String, _ path: String, _ receiver: Timestamp, _ host: Timestamp, precision: Int, unit: Int
    ) -> String {
        func parts(_ time: Timestamp) -> (Int64, Int64) {
            time.nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        }
        let (real, clock) = (parts(receiver), parts(host))
        return #"{"class":"\#(name)","device":\#(path),"real_sec":\#(real.0), "real_nsec":\#(real.1),"#
            + #""clock_sec":\#(clock.0),"clock_nsec":\#(clock.1),"precision":\#(precision),"shm":"NTP\#(unit)""#
    }
}
