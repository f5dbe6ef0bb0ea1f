import Glibc
import LocationCore
import LocationTracks

/// Where `export` writes to, and what becomes of a file that is there already.
///
/// A running session is logged, and a log that is there is gone on with. A recording is converted: its file appears when it
/// is whole, and replaces nothing unless it is told to.
enum TrackDestination: Hashable {
    case output
    /// Something that is there and no file, as /dev/null or a named pipe.
    case special(path: String)
    case document(path: String)
    case journal(pattern: String, isLog: Bool)

    init(_ source: SourceWord, _ settings: Settings) {
        guard let path = settings.outputPath, path != "-" else {
            self = .output
            return
        }
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        if kind != S_IFREG, kind != S_IFDIR {
            self = .special(path: path)
        } else if source.isWhole, settings.rotation == nil, !path.contains("%") {
            self = .document(path: path)
        } else {
            self = .journal(pattern: path, isLog: source.isLive)
        }
    }

    /// Whether it has names that a log can go on in.
    var canRotate: Bool {
        switch self {
        case .output, .special: false
        case .document, .journal: true
        }
    }

    /// How many receivers can have a track.
    var receiverLimit: Int {
        switch self {
        case .output, .special, .document: 10_000
        case .journal: ReceiverJournals.limit
        }
    }

    /// The place, ready to be written to.
    ///
    /// - Parameter temporaryFolder: where the tracks of several receivers wait for the end of a file that has one after another.
    func open(
        _ format: TrackFormat, _ settings: Settings, _ source: SourceWord, output: Int32, now: Timestamp,
        temporaryFolder: String
    ) throws(OutputFailure) -> any TrackSink {
        let options = TrackFormat.Options(name: source.trackName, namesStart: true, columns: settings.columns)
        func text() throws(OutputFailure) -> any TrackText {
            settings.showsAllDevices
                ? try ReceiverTrackText(format, options, folder: temporaryFolder) : TrackStream(format, options)
        }
        switch self {
        case .output: return try TrackPipe(output, text(), isOwned: false)
        case .special(let path):
            let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw .track(.system(attempt: "open", path: path, code: errno)) }
            return try TrackPipe(descriptor, text(), isOwned: true)
        case .document(let path):
            if !settings.overwrites, access(path, F_OK) == 0 { throw .track(.exists(path: path)) }
            return try TrackDocument(path, text())
        case .journal(let pattern, let isLog):
            func log(_ pattern: String) -> TrackLog {
                TrackLog(
                    pattern, format, options, rotation: settings.rotation?.ofTracks,
                    existing: settings.overwrites ? .replaced : isLog ? .continued : .refused,
                    durability: isLog ? .powerCut : .kill)
            }
            if settings.showsAllDevices { return ReceiverJournals(pattern, log) }
            return try TrackJournal(log(pattern), now: isLog ? now : nil)
        }
    }
}

extension SourceWord {
    /// Whether the session is a file, complete from the beginning.
    fileprivate var isWhole: Bool { recording?.size != nil }

    /// The name of a track out of this source; a file's folder is nobody else's business.
    fileprivate var trackName: String {
        recording == nil ? place : place.split(separator: "/").last.map(String.init) ?? place
    }
}

extension Rotation {
    fileprivate var ofTracks: TrackRotation {
        switch self {
        case .every(let duration): .duration(duration)
        case .bytes(let size): .size(size)
        }
    }
}
