import Glibc
import LocationPublishing
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The folder for what the program keeps from one run to the next.
struct StateFolder {
    let path: String
    /// Whether the folder is created if it does not exist, with those that contain it.
    private let isOwn: Bool

    /// Finds the folder: the one that systemd has made, or `locwatch` in the user's folder for states.
    init(_ environment: [String: String]) throws(StartFailure) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // Several folders are separated by colons.
        if let first = value("STATE_DIRECTORY")?.split(separator: ":").first {
            (path, isOwn) = (String(first), false)
        } else if let states = value("XDG_STATE_HOME") ?? value("HOME").map({ $0 + "/.local/state" }) {
            (path, isOwn) = (states + "/locwatch", true)
        } else {
            throw StartFailure(
                "there is no folder for the queue: set HOME, or use --queue DIR or --queue memory", .cannotCreate)
        }
    }

    func queue(of target: TargetWord?) -> String { "\(path)/\(target?.fileName ?? "queue")" }

    /// Creates the folder, for its owner only.
    func make() throws(StartFailure) {
        guard isOwn else { return }
        var folder = ""
        for name in path.split(separator: "/") {
            folder += "/" + name
            guard access(folder, F_OK) != 0, mkdir(folder, 0o700) != 0, errno != EEXIST else { continue }
            let reason = SystemFailure("create", code: errno).reason
            throw StartFailure("cannot create the folder \(folder) for the queue: \(reason)", .cannotCreate)
        }
    }
}
