import LocationCore

/// A failure of a queue.
public struct QueueError: Error, Hashable, Sendable {
    /// A reason for which a queue fails.
    package enum Fault: Hashable, Sendable {
        /// Another program uses the queue.
        case inUse(path: String, process: Int?)
        /// The disk has less free space than the queue leaves to other programs.
        case noSpace(reserve: Int)
        /// A file cannot be created, read or written.
        case system(attempt: String, path: String, cause: String)
        /// The database was damaged, so that it was renamed, and a new one begun.
        case damaged(path: String, cause: String)
        /// SQLite is not installed.
        case libraryMissing(library: String, package: String)
    }

    /// The reason.
    package let fault: Fault

    /// Creates an error.
    package init(_ fault: Fault) { self.fault = fault }

    /// Whether records cannot be stored until the reason is gone.
    package var losesRecords: Bool { if case .damaged = fault { false } else { true } }
}

extension QueueError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch fault {
        case .inUse(let path, let process):
            "another program\(process.map { " (process \($0))" } ?? "") is publishing from the queue \(VisibleText.of(path))"
        case .noSpace(let reserve):
            "the disk of the queue has less than \(reserve >> 20) MiB of free space"
        case .system(let attempt, let path, let cause):
            "cannot \(attempt) \(VisibleText.of(path)): \(VisibleText.of(cause))"
        case .damaged(let path, let cause):
            "the queue was damaged (\(VisibleText.of(cause))): it is now \(VisibleText.of(path)), whose records are not sent, and a new queue has begun"
        case .libraryMissing(let library, let package):
            "the queue needs \(library): apt-get install \(package), or --queue memory"
        }
    }
}
