import GPSDReports
import LocationCore

/// The host's clock compared with the receiver's time, from a line of gpsd.
struct ClockOffset: Hashable, Sendable {
    /// The event at which the clocks were compared, the less accurate first.
    enum Event: UInt8, Comparable, Sendable {
        /// The first data of a cycle (`TOFF`), which include the receiver's delay and that of the line.
        case firstData
        /// The receiver's pulse (`PPS`).
        case pulse

        static func < (left: Event, right: Event) -> Bool { left.rawValue < right.rawValue }

        var name: String { self == .pulse ? "PPS" : "TOFF" }
    }

    var event: Event
    /// The host's time minus the receiver's, in seconds.
    var seconds: Double
    var device: String?

    private static let starts = ["TOFF", "PPS"].map { Array("{\"class\":\"\($0)\"".utf8) }

    /// Decodes a line, or returns `nil` for another line.
    init?(line: [UInt8], _ decoder: inout ReportDecoder) {
        guard Self.starts.contains(where: { line.starts(with: $0) }) else { return nil }
        do throws(ReportError) {
            switch try decoder.decode(line) {
            case .toff(let report):
                self.init(
                    .firstData, report.device, (report.clock_sec, report.clock_nsec),
                    (report.real_sec, report.real_nsec))
            case .pps(let report):
                self.init(
                    .pulse, report.device, (report.clock_sec, report.clock_nsec), (report.real_sec, report.real_nsec))
            default: return nil
            }
        } catch {
            return nil
        }
    }

    private init?(
        _ event: Event, _ device: String?, _ host: (seconds: Int?, nanoseconds: Int?),
        _ receiver: (seconds: Int?, nanoseconds: Int?)
    ) {
        guard let hostSeconds = host.seconds, let receiverSeconds = receiver.seconds else { return nil }
        self.event = event
        self.device = device
        // Numbers of a peer can be as large as it likes, so they are not subtracted as integers.
        let fraction = Double(host.nanoseconds ?? 0) - Double(receiver.nanoseconds ?? 0)
        seconds = Double(hostSeconds) - Double(receiverSeconds) + fraction / 1e9
    }

    /// The unit that suits an offset in seconds, and the number of them in a second.
    static func unit(of seconds: Double) -> (name: String, count: Double) {
        switch seconds.magnitude {
        case ..<0.001: ("µs", 1e6)
        case ..<1: ("ms", 1e3)
        default: ("s", 1)
        }
    }
}
