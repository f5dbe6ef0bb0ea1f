import LocationPublishing
import LocwatchSupport

/// A folder in memory that fails at a chosen call, or stops in the middle of a write as a power cut does.
final class MemoryStorage: QueueStorage {
    struct Content {
        var files: [String: [UInt8]] = [:]
        /// The bytes of each file at its last `sync`.
        var synced: [String: [UInt8]] = [:]
        /// The number of calls until one fails, and whether all later ones fail too.
        var callsToFailure = Int.max
        var failsForGood = false
        /// The number of bytes that can still be written.
        var bytesToCut = Int.max
        var calls = 0
        /// The calls that read from each file.
        var reads: [String: Int] = [:]
        /// The size of the disk.
        var capacity = 1 << 40
        /// A file that cannot be opened or read for the moment.
        var unreadable: String?
    }

    let content = Lock(Content())

    init(files: [String: [UInt8]] = [:]) {
        content.withLock { $0.files = files }
    }

    var files: [String: [UInt8]] { content.withLock { $0.files } }

    func fail(afterCalls count: Int, forGood: Bool = false) {
        content.withLock {
            $0.callsToFailure = count
            $0.failsForGood = forGood
        }
    }

    func cut(afterBytes count: Int) { content.withLock { $0.bytesToCut = count } }

    /// The bytes of each file at its last `sync`, as they are after a power cut.
    var synced: [String: [UInt8]] { content.withLock { $0.synced } }

    func freeSpace() throws(QueueError) -> Int {
        try call("measure")
        return content.withLock { content in content.capacity - content.files.values.reduce(0) { $0 + $1.count } }
    }

    fileprivate func call(_ attempt: String) throws(QueueError) {
        let fails = content.withLock { content in
            content.calls += 1
            content.callsToFailure -= content.callsToFailure == .max ? 0 : 1
            return content.callsToFailure < 0 && (content.failsForGood || content.callsToFailure == -1)
        }
        if fails { throw QueueError(.system(attempt: attempt, path: "queue", cause: "simulated")) }
    }

    func names() throws(QueueError) -> [String] {
        try call("list")
        return Array(files.keys)
    }

    func open(_ name: String) throws(QueueError) -> any QueueFile {
        try call("open")
        content.withLock { content in if content.files[name] == nil { content.files[name] = [] } }
        return MemoryFile(self, name)
    }

    func remove(_ name: String) throws(QueueError) {
        try call("remove")
        content.withLock {
            $0.files[name] = nil
            $0.synced[name] = nil
        }
    }
}

private final class MemoryFile: QueueFile {
    private let storage: MemoryStorage
    private let name: String

    init(_ storage: MemoryStorage, _ name: String) {
        self.storage = storage
        self.name = name
    }

    func size() throws(QueueError) -> Int {
        try storage.call("measure")
        return storage.content.withLock { $0.files[name]?.count ?? 0 }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(QueueError) {
        try storage.call("write")
        let isWhole = storage.content.withLock { content in
            let part = bytes.prefix(max(0, content.bytesToCut))
            if content.bytesToCut != .max { content.bytesToCut -= bytes.count }
            var file = content.files[name] ?? []
            while file.count < offset + part.count { file.append(0) }
            file.replaceSubrange(offset..<(offset + part.count), with: part)
            content.files[name] = file
            return part.count == bytes.count
        }
        if !isWhole {
            storage.fail(afterCalls: 0, forGood: true)
            throw QueueError(.system(attempt: "write", path: name, cause: "the power is off"))
        }
    }

    func read(at offset: Int, count: Int) throws(QueueError) -> [UInt8] {
        try storage.call("read")
        let isReadable = storage.content.withLock { content in
            content.reads[name, default: 0] += 1
            return content.unreadable != name
        }
        guard isReadable else { throw QueueError(.system(attempt: "read", path: name, cause: "simulated")) }
        return storage.content.withLock { Array(($0.files[name] ?? []).dropFirst(offset).prefix(count)) }
    }

    func truncate(to size: Int) throws(QueueError) {
        try storage.call("truncate")
        storage.content.withLock { content in
            content.files[name] = Array((content.files[name] ?? []).prefix(size))
        }
    }

    func sync() throws(QueueError) {
        try storage.call("sync")
        storage.content.withLock { $0.synced[name] = $0.files[name] }
    }
}
