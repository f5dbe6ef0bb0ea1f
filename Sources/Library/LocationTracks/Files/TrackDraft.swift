/// A track in a file that appears when the track is complete, as that of a recording, which can be written again.
final class TrackDraft: TrackLogFile {
    private var stream: TrackStream
    private var draft: FileReplacement?
    private var bytes: [UInt8] = []

    /// Creates a draft of the file at `path`.
    ///
    /// - Parameters:
    ///   - overwrites: Whether the file may replace an existing one.
    ///   - removesDrafts: See `TrackFile.init`.
    init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options, overwrites: Bool, removesDrafts: Bool
    ) throws(TrackFileError) {
        stream = TrackStream(format, options)
        let storage = SystemStorage(for: path)
        let place = storage.resolved(path)
        if try storage.open(place) != nil, !overwrites { throw .exists(path: path) }
        if removesDrafts { storage.removeStaleDrafts(of: place) }
        draft = try FileReplacement(of: place, overwrites: overwrites, in: storage)
    }

    var points: Int { stream.points }

    var size: Int { (draft?.size ?? 0) + bytes.count }

    func process(_ element: TrackElement) throws(TrackFileError) {
        stream.process(element, to: &bytes)
        if bytes.count >= TrackStore.piece { try write() }
    }

    func finish() throws(TrackFileError) {
        stream.finish(to: &bytes)
        try write()
        try draft.take()?.finish()
    }

    private func write() throws(TrackFileError) {
        try draft?.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
