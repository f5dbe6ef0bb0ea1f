import Glibc
import LocwatchArguments

/// The file with the options of every command, and whether it was asked for.
struct ConfigurationPlace: Hashable {
    let path: String
    /// Whether the file must exist, because an option or a variable names it.
    let isNamed: Bool

    /// Finds the file that an option or a variable names, or else the user's own; `nil` with `--no-config`.
    init?(_ given: [ArgumentReader.Given], _ environment: [String: String]) {
        let last = given.last { $0.option.name == "config" || $0.option.name == "no-config" }
        if last?.option.name == "no-config" { return nil }
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let named = last?.value ?? value("LOCWATCH_CONFIG") {
            (path, isNamed) = (named, true)
            return
        }
        // A relative path is invalid, as the specification of the folders says.
        let folder = value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = folder ?? value("HOME").map({ "\($0)/.config" }) else { return nil }
        (path, isNamed) = ("\(folder)/locwatch/config", false)
    }

    /// Returns whether only the user and root can write a file; hooks and secrets are read from no other one.
    static func isTrusted(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [0, geteuid()].contains(status.st_uid) && status.st_mode & 0o022 == 0
    }
}
