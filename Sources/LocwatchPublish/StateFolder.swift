import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// The folder for what the program keeps from one run to the next.
struct StateFolder {
    /// The path of the folder.
    let path: String
    /// The folders that are created if they do not exist, in order.
    private let created: [String]

    /// Finds the folder: the one that systemd has made, or `locwatch` in the user's folder for states.
    init(_ environment: [String: String]) throws(PublishFailure) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // Several folders are separated by colons.
        if let first = value("STATE_DIRECTORY")?.split(separator: ":").first {
            path = String(first)
            created = []
        } else if let state = value("XDG_STATE_HOME") {
            path = state + "/locwatch"
            created = [state, path]
        } else if let home = value("HOME") {
            path = home + "/.local/state/locwatch"
            created = [home + "/.local", home + "/.local/state", path]
        } else {
            throw PublishFailure(
                "there is no folder for the queue: set HOME, or use --queue DIR or --no-queue", .cannotCreate)
        }
    }

    /// Creates the folder, for its owner only.
    func make() throws(PublishFailure) {
        for folder in created where mkdir(folder, 0o700) != 0 && errno != EEXIST {
            let reason = SystemFailure("create", code: errno).reason
            throw PublishFailure("cannot create the folder \(folder) for the queue: \(reason)", .cannotCreate)
        }
    }
}
