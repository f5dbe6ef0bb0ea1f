import LocationCore

/// The folder of a queue; a test provides a disk that fails at any call or cuts a file at any byte.
package protocol QueueStorage: Sendable {
    /// Returns the names of the files.
    func names() throws(QueueError) -> [String]
    /// Opens a file for reading and writing, creating it if it does not exist.
    func open(_ name: String) throws(QueueError) -> any QueueFile
    /// Removes a file, if it exists.
    func remove(_ name: String) throws(QueueError)
    /// Returns the number of bytes that can still be written to the disk.
    func freeSpace() throws(QueueError) -> Int
}

/// An open file of a queue.
package protocol QueueFile: AnyObject, Sendable {
    /// Returns the size in bytes.
    func size() throws(QueueError) -> Int
    /// Writes bytes at an offset; if it fails, some of them may have been written.
    func write(_ bytes: [UInt8], at offset: Int) throws(QueueError)
    /// Returns at most `count` bytes from an offset on, fewer at the end.
    func read(at offset: Int, count: Int) throws(QueueError) -> [UInt8]
    /// Cuts the file off.
    func truncate(to size: Int) throws(QueueError)
    /// Waits until the written bytes are on the disk.
    func sync() throws(QueueError)
}

/// A failure of a queue.
public struct QueueError: Error, Hashable, Sendable {
    /// A reason for which a queue fails.
    package enum Fault: Hashable, Sendable {
        /// Another program uses the queue.
        case inUse(path: String)
        /// The disk has less free space than the queue leaves to other programs.
        case noSpace(reserve: Int)
        /// A file cannot be created, read or written.
        case system(attempt: String, path: String, cause: String)
        /// A segment has records of another version of locwatch, which this one cannot read; they are kept.
        case unknownLayout(segment: String)
    }

    /// The reason.
    package let fault: Fault

    /// Creates an error.
    package init(_ fault: Fault) { self.fault = fault }
}

extension QueueError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch fault {
        case .inUse(let path): "another program is publishing from the queue \(VisibleText.of(path))"
        case .noSpace(let reserve):
            "the disk of the queue has less than \(reserve >> 20) MiB of free space"
        case .system(let attempt, let path, let cause):
            "cannot \(attempt) \(VisibleText.of(path)): \(VisibleText.of(cause))"
        case .unknownLayout(let segment):
            "cannot read the records of \(VisibleText.of(segment)): another version of locwatch has written them; they are kept"
        }
    }
}
