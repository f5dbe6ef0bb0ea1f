import LocationCore

// The failures of a queue.
extension PublishError {
    package static func queueInUse(path: String, process: Int?) -> PublishError {
        let program = "another program\(process.map { " (process \($0))" } ?? "")"
        return PublishError("\(program) is publishing from the queue \(VisibleText.of(path))", .creation)
    }

    /// The disk has less free space than the queue leaves to other programs.
    package static func noSpace(reserve: Int) -> PublishError {
        PublishError("the disk of the queue has less than \(reserve >> 20) MiB of free space", .disk)
    }

    /// The thread of the queue waits for the disk or for another program, and its memory is full.
    static func slowQueue(waiting: Int) -> PublishError {
        PublishError("the disk of the queue is too slow: \(waiting) records wait for it, and no more are kept", .disk)
    }

    /// The publisher was finished before.
    static let ended = PublishError("the publisher has ended", .usage)

    static func file(
        _ attempt: String, _ path: String, _ reason: String, _ cause: Cause
    ) -> PublishError {
        PublishError("cannot \(attempt) \(VisibleText.of(path)): \(VisibleText.of(reason))", cause)
    }

    /// The database was damaged, so that it was renamed, and a new one begun.
    static func damagedQueue(path: String, reason: String) -> PublishError {
        PublishError(
            "the queue was damaged (\(VisibleText.of(reason))): it is now \(VisibleText.of(path)), whose records are not sent, "
                + "and a new queue has begun", .damage)
    }

    /// Records of the queue are no records of a publisher.
    static let unreadableRecords = PublishError(
        "the queue has records that cannot be read, such as of another program; they are left out", .damage)

    static func recordTooLarge(_ size: Int) -> PublishError {
        PublishError("a record of \(size) bytes is larger than any that the queue stores", .usage)
    }

    static func missingForQueue(library: String, package: String) -> PublishError {
        PublishError("the queue needs \(library): apt-get install \(package), or --queue memory", .transport)
    }

    /// Whether records cannot be stored until the reason is gone.
    package var losesRecords: Bool { cause != .damage }
}
