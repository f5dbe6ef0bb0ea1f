import LocationCore
import LocationTracks
import LocwatchSupport
import LocwatchTerminal

/// Logs that are complete after every point: one of all pieces, or one for each receiver.
///
/// A receiver's name is inserted before the extension of its file: `log.gpx` becomes `log-ttyACM0.gpx`. The name is the whole one and can
/// be read back, so a file belongs to one receiver whatever the order in which receivers are heard, also after a restart.
final class TrackJournals: TrackSink {
    /// The maximum number of receivers with a log, each of which is an open file.
    static let mostReceivers = 64

    private let pattern: String
    private let everyReceiver: Bool
    private let makeLog: (String, String?) -> TrackLog
    private var logs = PerDevice<TrackLog?>()
    /// The text between the name of a receiver and the number of a file, which occurs in no such name: `bus` has `log-bus.2.gpx`, and
    /// `log-bus-2.gpx` is that of `bus-2`.
    static let numberSeparator = "."

    /// - Parameter start: The time at which to begin the file of a single log; if `nil`, the first point begins it.
    init(
        _ pattern: String, everyReceiver: Bool, start: Timestamp?, _ makeLog: @escaping (String, String?) -> TrackLog
    ) throws(OutputFailure) {
        (self.pattern, self.everyReceiver, self.makeLog) = (pattern, everyReceiver, makeLog)
        guard !everyReceiver else { return }
        let log = log(of: nil)
        if let start { do throws(TrackFileError) { try log.begin(at: start) } catch { throw .track(error) } }
    }

    var points: Int { logs.values.reduce(0) { $0 + ($1?.points ?? 0) } }
    var paths: [String] { logs.values.flatMap { $0?.paths ?? [] } }

    func process(_ pieces: [TrackPiece]) throws(OutputFailure) {
        do throws(TrackFileError) {
            for piece in pieces {
                try log(of: piece.receiver).process(piece.element, now: piece.time, beginsTrip: piece.beginsTrip)
            }
        } catch {
            throw .track(error)
        }
    }

    func finish(at time: Timestamp) throws(OutputFailure) {
        do throws(TrackFileError) {
            for log in logs.values {
                // A session without a position leaves a file without points.
                if !everyReceiver, let log, log.paths.isEmpty { try log.begin(at: time) }
                try log?.finish()
            }
        } catch {
            throw .track(error)
        }
    }

    private func log(of device: String?) -> TrackLog {
        if let log = logs[device, default: nil] { return log }
        let log = makeLog(everyReceiver ? TrackLog.path(pattern, with: Self.fileName(device)) : pattern, device)
        logs[device, default: nil] = log
        return log
    }

    /// The length in bytes beyond which the name of a receiver is cut off, because a filename has at most 255.
    private static let limit = (name: 150, beginning: 140)

    /// Returns the name of a receiver in characters that are valid in any filename, different for each receiver.
    ///
    /// A device of this machine is named without its folder /dev, and a slash is a plus sign, as in `owntracks+anna+phone`. Any other
    /// byte that is not a letter, a digit, a hyphen or an underscore is an equals sign and its two hexadecimal digits.
    static func fileName(_ device: String?) -> String {
        guard let device else { return "receiver" }
        let folder = "/dev/"
        var name = ""
        for byte in device.utf8.dropFirst(device.hasPrefix(folder) ? folder.utf8.count : 0) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "/"): name += "+"
            default: name += "=" + hexadecimal(UInt64(byte), digits: 2)
            }
        }
        guard name.utf8.count > limit.name else { return name.isEmpty ? "=" : name }
        // FNV-1a, because `Hasher` gives other numbers after a restart. The result is longer than any name that is not cut off.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in device.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(name.prefix(limit.beginning)) + "=" + hexadecimal(hash, digits: 16)
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
