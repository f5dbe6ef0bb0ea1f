/// The file `FILE.tail` beside a long GeoJSON file, with the newest points; see `RewritingStore`.
///
/// Its name is predictable, because the next writer must find it. A link or another file of that name is neither
/// followed nor replaced, and a tail is merged only if it names the size of its file and a checksum of the file's end.
struct GeoJSONTail {
    /// The path of the tail.
    let path: String
    /// The features that were found in the tail at the start.
    private(set) var features: [UInt8] = []

    private let keeping: TrackFileOptions
    /// The tail that was found or written last.
    private var file: (any StoredFile)?
    private var found: [UInt8] = []
    /// The start of a tail for the version of the file with the size `headSize`.
    private var head: [UInt8] = []
    private var headSize = -1

    private static let beginning = Array("{\"type\":\"FeatureCollection\",\"after\":".utf8)
    private static let array = Array("\"features\":[".utf8)

    /// Finds the tail that a killed writer left, if any; throws if a file of this name is not a tail.
    init(_ keeping: TrackFileOptions) throws(TrackFileError) {
        self.keeping = keeping
        path = keeping.path + ".tail"
        guard let left = try keeping.storage.open(path, isCompanion: true) else { return }
        let size = try left.size()
        let start = try left.read(at: 0, count: Self.beginning.count + 64)
        let foot = RewritingStore.foot
        let ending = try left.read(at: max(0, size - foot.count), count: foot.count)
        // A real tail is far smaller; see `isTailLong`.
        guard size <= 1 << 28, start.starts(with: Self.beginning),
            let array = start.indices.first(where: { start[$0...].starts(with: Self.array) }), ending == foot
        else { throw .foreign(path: path, cause: "it is not the tail of a track") }
        found = Array(start[..<(array + Self.array.count)])
        features = try left.read(at: found.count, count: max(0, size - found.count - foot.count))
        file = left
    }

    /// Whether the tail exists.
    var exists: Bool { file != nil }

    /// Whether the tail that was found continues this version of its file.
    func belongs(to file: any StoredFile, size: Int) throws(TrackFileError) -> Bool {
        try found == Self.head(after: file, size: size)
    }

    /// Replaces the tail.
    mutating func replace(after file: any StoredFile, size: Int, by features: [UInt8]) throws(TrackFileError) {
        if headSize != size {
            head = try Self.head(after: file, size: size)
            headSize = size
        }
        // A file that has taken the name since is not replaced.
        let isThere = self.file?.size(at: path) != nil
        var draft = try FileReplacement(of: path, overwrites: isThere, in: keeping.storage)
        try draft.write(head + features)
        do throws(TrackFileError) {
            self.file = try draft.place()
        } catch {
            if case .exists = error { throw .foreign(path: path, cause: "its name is needed for the newest points") }
            throw error
        }
    }

    /// Removes the tail, if it exists.
    mutating func remove() {
        if file?.size(at: path) != nil { keeping.storage.remove(path) }
        file = nil
        features = []
    }

    private static func head(after file: any StoredFile, size: Int) throws(TrackFileError) -> [UInt8] {
        let count = min(size, 4096)
        // FNV-1a protects only against accidents, because the tail and the file belong to the same user.
        let checksum = try file.read(at: size - count, count: count).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return beginning + "\(size),\"checksum\":\"\(String(checksum, radix: 16))\",".utf8 + array
    }
}
