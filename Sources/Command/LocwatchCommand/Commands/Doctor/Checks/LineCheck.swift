import LocationCore
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The check that a serial line carries all that the receiver sends in an epoch.
enum LineCheck {
    /// The time in which the bytes are counted, which is a number of whole epochs.
    private static let time = Duration.seconds(3)
    /// The part of the capacity from which on the line is full.
    private static let full = 0.9
    /// A byte has a start bit and a stop bit.
    private static let bitsPerByte = 10

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let lines = observation.devices.filter {
            let path = observation.isHere ? machine.resolved($0.path) : $0.path
            return observation.heard.contains($0.path) && $0.speed != nil && hasSpeed(path)
        }
        guard observation.mayListen, let device = lines.first, let speed = device.speed, speed > 0 else { return .moot }
        // Before the session is over, its gpsd reads the line.
        guard observation.isOver else { return .wait }
        let count: Int?
        if observation.source.endpoint != nil {
            count = machine.rawBytes(of: device.path, at: observation.host, observation.port, within: time)
        } else {
            count = machine.bytes(from: device.path, at: speed, within: time, until: { _ in false })?.count
        }
        let capacity = speed / bitsPerByte
        let rate = Int(clamping: (Double(count ?? 0) / time.inSeconds).rounded())
        guard Double(rate) >= Double(capacity) * full else { return .moot }
        return .remark(
            "the line of \(device.path.printable) is full: \(rate) of \(capacity) bytes a second at \(speed) bit/s",
            why: "an epoch has more bytes than the line carries, so reports come late or without some sentences",
            remedy: "raise its speed: gpsctl -s \(higher(than: speed)) \(ShellWords.quoted(device.path))",
            "or let the receiver send fewer sentences, or fewer epochs")
    }

    private static func higher(than speed: Int) -> Int {
        [38_400, 115_200, 230_400, 460_800].first { $0 > speed * 2 } ?? 921_600
    }

    /// Whether the speed of a line limits it, unlike that of a USB device or a pseudo terminal.
    private static func hasSpeed(_ path: String) -> Bool {
        path.hasPrefix("/dev/tty") && !path.hasPrefix("/dev/ttyACM")
    }
}
