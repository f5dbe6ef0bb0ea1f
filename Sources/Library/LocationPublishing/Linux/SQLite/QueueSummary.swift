import Glibc
import LocationCore
import LocwatchPlatform

/// The size of a queue, which can be read while another program uses it.
package struct QueueSummary: Hashable, Sendable {
    package let path: String
    /// The number of records that a target has not taken.
    package let records: Int
    package let size: Int

    /// Reads the queue in a folder, or returns `nil` if there is none that can be read.
    ///
    /// Root can read that of any user, whose schema is checked as well.
    ///
    /// - Parameter steps: The steps that the statements may take on a small queue.
    package init?(_ folder: String, steps: Int = SQLiteDatabase.usualSteps) {
        path = folder + "/" + QueueFolder.database
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstatat(descriptor, QueueFolder.database, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        size = Int(status.st_size)
        guard let count = Self.count(in: descriptor, path, size, steps) else { return nil }
        records = Int(clamping: count)
    }

    private static func count(in folder: Int32, _ path: String, _ size: Int, _ steps: Int) -> Int64? {
        guard let library = try? SQLiteLibrary.load(),
            let database = try? SQLiteDatabase(
                library, path, named: SQLiteLibrary.name(of: QueueFolder.database, in: folder), steps: steps),
            (try? QueueSchema.check(database)) != nil
        else { return nil }
        database.allowSteps(forSize: size)
        return try? database.prepare(
            "SELECT count(*) FROM records WHERE number >= (SELECT ifnull(min(next), 0) FROM targets)"
        ).number()
    }
}

extension QueueSummary: CustomStringConvertible {
    package var description: String {
        let kibibytes = (size + 1023) / 1024
        let size = kibibytes < 1024 ? "\(kibibytes) KiB" : "\((kibibytes + 512) / 1024) MiB"
        return "\(VisibleText.of(path)): \(records) \(records == 1 ? "record waits" : "records wait"), \(size)"
    }
}
