import Glibc

/// The rights on the folder and the files of a queue.
///
/// A queue holds where its owner is, and what is published: who can change it can read along, or move the owner on the map.
enum QueueRights {
    /// Returns the reason for which a folder or a file is not used, or `nil` if only its owner and root can change it.
    ///
    /// - Parameters:
    ///   - kind: The kind that it must have, such as `S_IFREG`.
    ///   - user: The user who publishes.
    static func objection(to status: stat, kind: mode_t, of user: uid_t = geteuid()) -> String? {
        guard status.st_mode & S_IFMT == kind else { return "it is not a \(kind == S_IFDIR ? "folder" : "file")" }
        // Root can change everything anyway.
        guard status.st_uid == user || status.st_uid == 0 else { return "it belongs to another user" }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            return "other users can change it; chmod go-w takes that from them"
        }
        return nil
    }
}
