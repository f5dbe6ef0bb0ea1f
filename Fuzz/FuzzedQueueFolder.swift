@testable import LocationPublishing

/// A folder of a queue in memory.
///
/// It is used by the thread of the fuzzer only, so it needs no lock.
final class FuzzedQueueFolder: QueueStorage, @unchecked Sendable {
    fileprivate var files: [String: [UInt8]]

    init(_ files: [String: [UInt8]]) { self.files = files }

    func names() -> [String] { Array(files.keys) }

    func open(_ name: String) -> any QueueFile {
        if files[name] == nil { files[name] = [] }
        return FuzzedQueueFile(self, name)
    }

    func remove(_ name: String) { files[name] = nil }

    func freeSpace() -> Int { 1 << 40 }
}

private final class FuzzedQueueFile: QueueFile, @unchecked Sendable {
    private let folder: FuzzedQueueFolder
    private let name: String

    init(_ folder: FuzzedQueueFolder, _ name: String) {
        self.folder = folder
        self.name = name
    }

    private var bytes: [UInt8] {
        get { folder.files[name] ?? [] }
        set { folder.files[name] = newValue }
    }

    func size() -> Int { bytes.count }

    func write(_ new: [UInt8], at offset: Int) {
        var all = bytes
        all += [UInt8](repeating: 0, count: max(0, offset + new.count - all.count))
        all.replaceSubrange(offset..<(offset + new.count), with: new)
        bytes = all
    }

    func read(at offset: Int, count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }

    func truncate(to size: Int) { bytes = Array(bytes.prefix(size)) }

    func sync() {}
}
