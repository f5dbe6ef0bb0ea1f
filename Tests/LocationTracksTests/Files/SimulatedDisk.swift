import LocationTracks

/// A disk in memory that records every step, so that a test can inspect it as a power cut at any byte would leave it.
///
/// Unchecked, because a test uses it from one thread.
final class SimulatedDisk: TrackStorage, @unchecked Sendable {
    enum Step {
        case create(file: Int, path: String)
        case write(file: Int, bytes: [UInt8], at: Int)
        case truncate(file: Int, size: Int)
        case sync(file: Int)
        case rename(path: String, to: String)
        /// The writer reported that this number of points is safe.
        case acknowledged(points: Int)
    }

    private(set) var steps: [Step] = []
    private var content = DiskContent()
    private var locked: Set<Int> = []
    private var count = 0
    /// The number of bytes that fit on the disk.
    var capacity = Int.max

    func contents(_ path: String) -> [UInt8]? { content.bytes(path) }

    /// The names of all files, sorted.
    var names: [String] { content.names.keys.sorted() }

    private func take(_ step: Step) {
        steps.append(step)
        content.apply(step)
    }

    private func create(_ path: String) -> Int {
        count += 1
        take(.create(file: count, path: path))
        return count
    }

    /// Places a file as another program would.
    func put(_ bytes: [UInt8], at path: String) { take(.write(file: create(path), bytes: bytes, at: 0)) }

    /// Truncates a file as another program would.
    func cutOff(_ path: String, at size: Int) {
        if let file = content.names[path] { take(.truncate(file: file, size: size)) }
    }

    func acknowledge(_ points: Int) { take(.acknowledged(points: points)) }

    func resolved(_ path: String) -> String { path }

    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)? {
        guard let id = content.names[path] else { return nil }
        guard locked.insert(id).inserted else { throw .inUse(path: path) }
        return File(disk: self, id: id, draft: "", target: path)
    }

    func draft(of path: String) throws(TrackFileError) -> any StoredDraft {
        let draft = "\(path).draft-\(count)"
        let id = create(draft)
        locked.insert(id)
        return File(disk: self, id: id, draft: draft, target: path)
    }

    func removeStaleDrafts(of path: String) {}

    private final class File: StoredDraft {
        let disk: SimulatedDisk
        let id: Int
        let draft: String
        let target: String

        init(disk: SimulatedDisk, id: Int, draft: String, target: String) {
            self.disk = disk
            self.id = id
            self.draft = draft
            self.target = target
        }

        deinit { disk.locked.remove(id) }

        private var bytes: [UInt8] { disk.content.contents[id] ?? [] }

        func place(overwrites: Bool) throws(TrackFileError) {
            guard overwrites || disk.content.names[target] == nil else { throw .exists(path: target) }
            disk.take(.rename(path: draft, to: target))
        }

        func discard() { disk.content.names[draft] = nil }
        func size(at path: String) -> Int? { disk.content.names[path] == id ? bytes.count : nil }
        func size() -> Int { bytes.count }
        func read(at offset: Int, count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }

        func write(_ new: [UInt8], at offset: Int) throws(TrackFileError) {
            let grows = max(0, offset + new.count - bytes.count)
            // As on a real disk, the part that fits is written.
            let fitting = max(0, new.count - max(0, disk.content.size + grows - disk.capacity))
            disk.take(.write(file: id, bytes: Array(new.prefix(fitting)), at: offset))
            if fitting < new.count { throw .system(attempt: "write", path: "disk", code: 28) }
        }

        func truncate(to size: Int) { disk.take(.truncate(file: id, size: size)) }
        func sync() { disk.take(.sync(file: id)) }
    }
}

/// The content of a disk, as the steps so far have made it, or a power cut after them can leave it.
struct DiskContent {
    fileprivate(set) var names: [String: Int] = [:]
    fileprivate private(set) var contents: [Int: [UInt8]] = [:]
    private(set) var acknowledged = 0
    /// The steps of each file that may not be on the disk yet.
    private var unsynced: [Int: [SimulatedDisk.Step]] = [:]
    private var durable: [Int: [UInt8]] = [:]

    func bytes(_ path: String) -> [UInt8]? { names[path].flatMap { contents[$0] } }

    /// The number of bytes in all files that have a name.
    var size: Int { names.values.reduce(0) { $0 + (contents[$1]?.count ?? 0) } }

    mutating func apply(_ step: SimulatedDisk.Step) {
        switch step {
        case .create(let file, let path): (names[path], contents[file], durable[file]) = (file, [], [])
        case .write(let file, _, _), .truncate(let file, _):
            Self.apply(step, to: &contents[file, default: []])
            unsynced[file, default: []].append(step)
        case .sync(let file): (durable[file], unsynced[file]) = (contents[file], nil)
        case .rename(let path, let new): names[new] = names.removeValue(forKey: path)
        case .acknowledged(let points): acknowledged = points
        }
    }

    private static func apply(_ step: SimulatedDisk.Step, to file: inout [UInt8]) {
        switch step {
        case .write(_, let bytes, let offset):
            if file.count < offset { file.append(contentsOf: [UInt8](repeating: 0, count: offset - file.count)) }
            file.replaceSubrange(offset..<min(file.count, offset + bytes.count), with: bytes)
        case .truncate(_, let size): file.removeLast(max(0, file.count - size))
        default: break
        }
    }

    /// Returns the disk after only a part of the next write.
    func torn(_ step: SimulatedDisk.Step, after count: Int) -> DiskContent {
        guard case .write(let file, let bytes, let offset) = step else { return self }
        var copy = self
        copy.apply(.write(file: file, bytes: Array(bytes.prefix(count)), at: offset))
        return copy
    }

    /// The disks on which one unsynced step is missing, although later ones are there.
    var reordered: [DiskContent] {
        unsynced.flatMap { file, steps in
            steps.indices.map { missing in
                var copy = self
                var bytes = durable[file] ?? []
                for (index, step) in steps.enumerated() where index != missing { Self.apply(step, to: &bytes) }
                copy.contents[file] = bytes
                return copy
            }
        }
    }
}
