import LocationTracks
import LocwatchSupport

/// A disk in memory that records every step, so that a test can inspect it as a power cut at any byte would leave it.
final class SimulatedDisk: TrackStorage {
    enum Step {
        case create(file: Int, path: String)
        case write(file: Int, bytes: [UInt8], at: Int)
        case truncate(file: Int, size: Int)
        case sync(file: Int)
        case rename(path: String, to: String)
        /// The writer reported that this number of points is safe.
        case acknowledged(points: Int)
    }

    private struct State {
        var contents: [[UInt8]] = []
        var names: [String: Int] = [:]
        var steps: [Step] = []
        var capacity = Int.max
        var locked: Set<Int> = []
    }

    private let state = Lock(State())

    var steps: [Step] { state.withLock { $0.steps } }

    /// The number of bytes that fit on the disk.
    var capacity: Int {
        get { state.withLock { $0.capacity } }
        set { state.withLock { $0.capacity = newValue } }
    }

    func contents(_ path: String) -> [UInt8]? {
        state.withLock { state in state.names[path].map { state.contents[$0] } }
    }

    func put(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            state.names[path] = state.contents.count
            state.contents.append(bytes)
        }
    }

    /// Truncates a file as another program would.
    func cutOff(_ path: String, at size: Int) {
        state.withLock { state in
            guard let file = state.names[path] else { return }
            state.contents[file].removeLast(max(0, state.contents[file].count - size))
        }
    }

    func acknowledge(_ points: Int) { state.withLock { $0.steps.append(.acknowledged(points: points)) } }

    /// The names of all files, sorted.
    var names: [String] { state.withLock { $0.names.keys.sorted() } }

    func resolved(_ path: String) -> String { path }

    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)? {
        let id = state.withLock { state in
            state.names[path].map { id in state.locked.insert(id).inserted ? id : -1 }
        }
        guard let id else { return nil }
        guard id >= 0 else { throw .inUse(path: path) }
        return File(disk: self, id: id, draft: "", target: path)
    }

    func draft(of path: String) throws(TrackFileError) -> any StoredDraft {
        let (id, draft) = state.withLock { state in
            let id = state.contents.count
            let draft = "\(path).draft-\(id)"
            state.names[draft] = id
            state.contents.append([])
            state.locked.insert(id)
            state.steps.append(.create(file: id, path: draft))
            return (id, draft)
        }
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

        deinit { disk.state.withLock { state in _ = state.locked.remove(id) } }

        func place(overwrites: Bool) throws(TrackFileError) {
            let isPlaced = disk.state.withLock { state in
                guard overwrites || state.names[target] == nil else { return false }
                state.names[target] = state.names.removeValue(forKey: draft)
                state.steps.append(.rename(path: draft, to: target))
                return true
            }
            if !isPlaced { throw .exists(path: target) }
        }

        func discard() { disk.state.withLock { $0.names[draft] = nil } }

        func size(at path: String) -> Int? {
            disk.state.withLock { state in state.names[path] == id ? state.contents[id].count : nil }
        }

        func size() -> Int { disk.state.withLock { $0.contents[id].count } }

        func read(at offset: Int, count: Int) -> [UInt8] {
            disk.state.withLock { Array($0.contents[id].dropFirst(offset).prefix(count)) }
        }

        func write(_ bytes: [UInt8], at offset: Int) throws(TrackFileError) {
            let fits = disk.state.withLock { state in
                let used = state.names.values.map { state.contents[$0].count }.reduce(0, +)
                let grows = max(0, offset + bytes.count - state.contents[id].count)
                // As on a real disk, the part that fits is written.
                let fitting = max(0, bytes.count - max(0, used + grows - state.capacity))
                SimulatedDisk.write(bytes.prefix(fitting), at: offset, to: &state.contents[id])
                state.steps.append(.write(file: id, bytes: Array(bytes.prefix(fitting)), at: offset))
                return fitting == bytes.count
            }
            if !fits { throw .system(attempt: "write", path: "disk", code: 28) }
        }

        func truncate(to size: Int) {
            disk.state.withLock { state in
                state.contents[id].removeLast(max(0, state.contents[id].count - size))
                state.steps.append(.truncate(file: id, size: size))
            }
        }

        func sync() { disk.state.withLock { $0.steps.append(.sync(file: id)) } }
    }

    static func write(_ bytes: some Collection<UInt8>, at offset: Int, to file: inout [UInt8]) {
        if file.count < offset { file.append(contentsOf: [UInt8](repeating: 0, count: offset - file.count)) }
        file.replaceSubrange(offset..<min(file.count, offset + bytes.count), with: bytes)
    }
}

/// The content of a disk after a power cut.
struct CutDisk {
    private(set) var names: [String: Int] = [:]
    private var contents: [Int: [UInt8]] = [:]
    private(set) var acknowledged = 0
    /// The writes of each file that may not be on the disk yet.
    private var unsynced: [Int: [SimulatedDisk.Step]] = [:]
    private var durable: [Int: [UInt8]] = [:]

    func bytes(_ path: String) -> [UInt8]? { names[path].flatMap { contents[$0] } }

    mutating func apply(_ step: SimulatedDisk.Step) {
        switch step {
        case .create(let file, let path):
            names[path] = file
            contents[file] = []
            durable[file] = []
        case .write(let file, let bytes, let offset):
            SimulatedDisk.write(bytes, at: offset, to: &contents[file, default: []])
            unsynced[file, default: []].append(step)
        case .truncate(let file, let size):
            let surplus = max(0, (contents[file]?.count ?? 0) - size)
            contents[file]?.removeLast(surplus)
            unsynced[file, default: []].append(step)
        case .sync(let file):
            durable[file] = contents[file]
            unsynced[file] = nil
        case .rename(let path, let new): names[new] = names.removeValue(forKey: path)
        case .acknowledged(let points): acknowledged = points
        }
    }

    /// Returns the disk after only a part of the next write.
    func torn(_ step: SimulatedDisk.Step, after count: Int) -> CutDisk {
        guard case .write(let file, let bytes, let offset) = step else { return self }
        var copy = self
        SimulatedDisk.write(bytes.prefix(count), at: offset, to: &copy.contents[file, default: []])
        return copy
    }

    /// The disks on which one unsynced write is missing, although later ones are there.
    var reordered: [CutDisk] {
        unsynced.flatMap { file, steps in
            steps.indices.map { missing in
                var copy = self
                var bytes = durable[file] ?? []
                for (index, step) in steps.enumerated() where index != missing {
                    switch step {
                    case .write(_, let new, let offset): SimulatedDisk.write(new, at: offset, to: &bytes)
                    case .truncate(_, let size): bytes.removeLast(max(0, bytes.count - size))
                    default: break
                    }
                }
                copy.contents[file] = bytes
                return copy
            }
        }
    }
}
