import Glibc

/// A program of the system, found by its name.
package enum InstalledProgram {
    /// Returns the path of the first executable file with a name in the folders of `PATH`, or `nil` if there is none.
    package static func path(of name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        // An empty folder means the working directory, from which no program must be started.
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
