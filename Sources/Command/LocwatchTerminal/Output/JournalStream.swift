import Glibc

/// The importance of a message, with its number in the journal.
package enum MessageLevel: Int32 {
    case error = 3
    case warning = 4
    case information = 6
}

/// The connection of a service to systemd's journal in place of a stream.
enum JournalStream {
    /// Returns whether a descriptor is the connection to the journal that the environment names.
    static func isOn(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        guard let name = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && name == "\(status.st_dev):\(status.st_ino)"
    }

    /// Returns a message with its level before each line, and without the name of the program, which the journal adds.
    static func text(_ message: String, _ level: MessageLevel) -> String {
        let name = "locwatch: "
        return message.split(separator: "\n").map { line in
            "<\(level.rawValue)>\(line.hasPrefix(name) ? line.dropFirst(name.count) : line)\n"
        }.joined()
    }
}
