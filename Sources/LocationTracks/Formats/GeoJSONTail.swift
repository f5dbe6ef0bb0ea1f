/// The file `FILE.tail` beside a long GeoJSON, with the newest points; see `ReplacingKeeper`.
///
/// Its name cannot be unpredictable, as the next writer must find it. A link or another file of that name is neither followed
/// nor replaced, and a tail is taken in only if it names the size of its file and a checksum of the file's end.
struct GeoJSONTail {
    /// Where the tail stands.
    let path: String
    /// The features that were found in it at the start.
    private(set) var features: [UInt8] = []

    private let keeping: Keeping
    /// The tail that was found or written last.
    private var file: (any StoredFile)?
    private var found: [UInt8] = []
    /// The beginning of a tail after the version of the file that `headSize` belongs to.
    private var head: [UInt8] = []
    private var headSize = -1

    private static let beginning = Array("{\"type\":\"FeatureCollection\",\"after\":".utf8)
    private static let array = Array("\"features\":[".utf8)

    /// Finds the tail that a killed writer left, if any; a file of this name that is no tail is an error.
    init(_ keeping: Keeping) throws(TrackFileError) {
        self.keeping = keeping
        path = keeping.path + ".tail"
        guard let left = try keeping.storage.open(path, isCompanion: true) else { return }
        let size = try left.size()
        let start = try left.read(at: 0, count: Self.beginning.count + 64)
        let foot = ReplacingKeeper.foot
        let ending = try left.read(at: max(0, size - foot.count), count: foot.count)
        // A tail is far smaller; see `isTailLong`.
        guard size <= 1 << 28, start.starts(with: Self.beginning),
            let array = start.indices.first(where: { start[$0...].starts(with: Self.array) }), ending == foot
        else { throw .foreign(path: path, cause: "it is no tail of a track") }
        found = Array(start[..<(array + Self.array.count)])
        features = try left.read(at: found.count, count: max(0, size - found.count - foot.count))
        file = left
    }

    /// Whether there is one.
    var exists: Bool { file != nil }

    /// Whether the tail that was found continues this version of its file.
    func belongs(to file: any StoredFile, size: Int) throws(TrackFileError) -> Bool {
        try found == Self.head(after: file, size: size)
    }

    /// Writes the tail anew.
    mutating func replace(after file: any StoredFile, size: Int, by features: [UInt8]) throws(TrackFileError) {
        if headSize != size {
            head = try Self.head(after: file, size: size)
            headSize = size
        }
        // What has taken the name since is not replaced.
        let isThere = self.file?.size(at: path) != nil
        var draft = try FileReplacement(of: path, overwrites: isThere, in: keeping.storage)
        try draft.write(head + features)
        do throws(TrackFileError) {
            self.file = try draft.place()
        } catch {
            if case .exists = error { throw .foreign(path: path, cause: "it has the name that the newest points need") }
            throw error
        }
    }

    /// Removes the tail, if there is one.
    mutating func remove() {
        if file?.size(at: path) != nil { keeping.storage.remove(path) }
        file = nil
        features = []
    }

    private static func head(after file: any StoredFile, size: Int) throws(TrackFileError) -> [UInt8] {
        let count = min(size, 4096)
        // FNV-1a, against accidents: the tail belongs to the user, and so does the file.
        let checksum = try file.read(at: size - count, count: count).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return beginning + "\(size),\"checksum\":\"\(String(checksum, radix: 16))\",".utf8 + array
    }
}
