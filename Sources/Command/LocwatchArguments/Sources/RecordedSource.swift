import Glibc
package import LocationCore
import LocationGPSD
import LocationPublishing
package import GPSDProtocol
import LocationTracks
import LocwatchSupport

/// A recorded session, in a file or on standard input: gpsd's JSON, or the raw log of a receiver.
package struct RecordedSource: SourceKind {
    private static let prefix = "replay:"
    private static let logPrefix = "raw:"
    package static let prefixes = [prefix, logPrefix]
    package static let help: KeyValuePairs = [
        "FILE, -":
            "a recorded session or a receiver's raw log (NMEA, UBX, SiRF, ...), from a file or standard input; "
            + "also as .gz, .xz or .zst",
        "raw:FILE, replay:FILE": "a raw log, or a recorded session, where the beginning of the file does not tell",
        "FILE\(TrackKind.endings.joined(separator: ", "))":
            "a track of any program, recognized by its content; ?speed=50km/h after the name gives times to points without one",
    ]

    /// The path of the file; `-` is standard input.
    package let path: String
    /// The speed in metres per second for points of a track without a time.
    private var speed: Double?
    /// Whether the scheme says that the file is a recorded session or a track.
    private let isSession: Bool
    /// Whether the scheme says that the file is the log of a receiver; then `isSession` is false.
    private let isLog: Bool
    private let fleetAnswer = Remembered()

    init(path: String) { (self.path, isSession, isLog) = (path, false, false) }

    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        if word == "-" || exists(word) { return true }
        let name = SourceQuery(word).subject
        if name == "-" || name != word && exists(name) { return true }
        // A missing file must not be looked up as a host.
        return !word.containsBytes(of: "://") && (word.containsBytes(of: "/") || isNamedFile(name))
    }

    /// The endings of the names of files; each can be followed by that of a compressed file.
    private static let endings = [".json", ".jsonl", ".nmea", ".ubx", ".log", ".sirf"] + TrackKind.endings

    /// Returns whether a word ends like the name of a file, and not of a host.
    private static func isNamedFile(_ word: String) -> Bool {
        var name = word.lowercased()
        let packed = DecodingProgram.decompressors.first { name.hasSuffix($0.ending) }
        if let packed { name.removeLast(packed.ending.count) }
        return endings.contains(where: name.hasSuffix)
    }

    package init(_ word: String, prefix: String) throws(UsageError) {
        (isSession, isLog) = (prefix == Self.prefix, prefix == Self.logPrefix)
        guard !word.isEmpty else {
            let example = isLog ? "raw:drive.nmea" : "replay:drive.json"
            throw .source(prefix, "expected a file name, as in \(example)")
        }
        let query = SourceQuery(word)
        // The name of a file can have a question mark too.
        guard !query.items.isEmpty, access(word, F_OK) != 0 else {
            path = word
            return
        }
        path = query.subject
        for item in query.items {
            guard item.name == "speed", let speed = item.value.flatMap(SpeedText.read) else {
                throw .source(
                    prefix + word,
                    "only the speed of a track can follow the ?, as in ride.gpx?speed=50km/h; it is "
                        + SpeedText.allowed)
            }
            self.speed = speed
        }
    }

    /// The path of the file that the session reads, `-` for standard input, or `nil` for a folder.
    ///
    /// The error of reading a folder is clearer than that of the confinement.
    package var file: String? {
        var status = stat()
        return path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR ? path : nil
    }

    package var recording: RecordedSource? { self }
    package var isLive: Bool { false }
    package var isConfinable: Bool { file != nil }

    /// Whether the first line says that the recording is one of a fleet.
    package var isFleet: Bool {
        path != "-" && !isLog && fleetAnswer.value { RecordingSource.path(path).isFleet }
    }

    package var description: String {
        (isLog ? Self.logPrefix : Self.prefix) + path + (speed.map { "?speed=\($0)" } ?? "")
    }
    package var place: String { path == "-" ? "standard input" : path }
    package func connection(to daemon: String) -> String { "playing \(place), from \(daemon)" }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        let pace = settings.reading.pace ?? (isPaced(settings) ? .recorded : .max)
        let reading = reading(settings, now: (options.clock ?? .system()).now.wall)
        guard path == "-" || access(path, R_OK) == 0 else { throw .unreadable(path, errno) }
        let input: RecordingSource = path == "-" ? .descriptor(STDIN_FILENO) : .path(path)
        return ReplayProvider(input, pace: pace, reading: reading, options: options)
    }

    /// Returns whether the file is played at its recorded pace because no other one was requested; the pace of a pipe and of a file
    /// that is followed is that of its writer.
    package func isPaced(_ settings: Settings) -> Bool {
        settings.reading.pace == nil && path != "-" && !settings.reading.follows
    }

    /// Returns the way in which the file is read; the points of a track without a time begin now.
    package func reading(_ settings: Settings, now: Timestamp) -> InputReading {
        var reading = InputReading()
        reading.isLog = isLog
        reading.isPlain = isSession
        reading.follows = settings.reading.follows && path != "-"
        reading.logDecoder = RawLogDecoder()
        reading.recognizer = .tracks(TimelessPoints(speed: speed, start: now))
        return reading
    }

    /// Returns whether reading it may take a program, such as gpsd for a raw log; only a file that does not grow can be looked at before.
    package func needsDecoder(_ settings: Settings) -> Bool {
        if settings.reading.follows || size == nil || path == "-" { return true }
        return isSession ? isCompressed : isLog || RecordingSource.isDecoded(file: path)
    }

    /// The paths of the programs that reading a file can start.
    package static var decoders: [String] { DecodingProgram.paths + RawLogDecoder.programs }

    /// Makes what a process that confines itself cannot make any more when it reads a log.
    package static func prepareDecoders() { RawLogDecoder.prepare() }

    package var isCompressed: Bool { path != "-" && RecordingSource.isCompressed(file: path) }

    /// The size of a regular file in bytes; another input cannot be read again.
    package var size: Int? {
        var status = stat()
        guard (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }
}

/// An answer about a file, which is found once: every line of output depends on some, and reading a compressed file needs a
/// program.
private final class Remembered: Sendable {
    private let known = Lock(Bool?.none)

    /// Returns the answer, which `find` returns the first time.
    func value(_ find: () -> Bool) -> Bool {
        known.withLock { known in
            let answer = known ?? find()
            known = answer
            return answer
        }
    }
}

extension RecordedSource {
    /// Returns whether a path names the input, so that writing to it would destroy it.
    package func isSameFile(as other: String) -> Bool {
        var (own, theirs) = (stat(), stat())
        guard (path == "-" ? fstat(STDIN_FILENO, &own) : stat(path, &own)) == 0, stat(other, &theirs) == 0 else {
            // A file that does not exist yet would be created before it is read.
            return path == other
        }
        return own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino && own.st_mode & S_IFMT == S_IFREG
    }
}

extension SourceWord {
    package static func recording(path: String) -> SourceWord { SourceWord(RecordedSource(path: path)) }
}
