import LocationCore
import LocationTracks
import LocwatchSupport
import LocwatchTerminal

/// Logs that are complete after every point: one of all pieces, or one for each receiver.
///
/// A receiver's name is inserted before the extension of its file: `log.gpx` becomes `log-ttyACM0.gpx`.
final class TrackJournals: TrackSink {
    /// The maximum number of receivers with a log, each of which is an open file.
    static let limit = 64

    private let pattern: String
    private let everyReceiver: Bool
    private let makeLog: (String, String?) -> TrackLog
    private var logs = PerDevice<TrackLog?>()
    private var names: Set<String> = []

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
        let log = makeLog(everyReceiver ? path(of: device) : pattern, device)
        logs[device, default: nil] = log
        return log
    }

    private func path(of device: String?) -> String {
        let plain = Self.fileName(device)
        var (name, number) = (plain, 2)
        while !names.insert(name).inserted {
            name = "\(plain)-\(number)"
            number += 1
        }
        return TrackLog.path(pattern, with: name)
    }

    /// Returns the last component of a receiver's path, in characters that are valid in any filename.
    static func fileName(_ device: String?) -> String {
        guard let device else { return "receiver" }
        let last = device.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        let bytes = last.prefix(100).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return bytes.isEmpty ? "receiver" : String(decoding: bytes, as: UTF8.self)
    }
}
