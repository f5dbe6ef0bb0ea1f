import Glibc

/// The location of the program gpsd.
package enum GPSDProgram {
    /// The folders to search: those of `PATH`, and those that usually only root's `PATH` has.
    static var folders: [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        var folders: [String] = []
        for folder in path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
        where !folders.contains(folder) {
            folders.append(folder)
        }
        return folders
    }

    /// The path of the first executable gpsd, or `nil` if there is none.
    package static var path: String? {
        folders.lazy.map { $0 + "/gpsd" }.first { access($0, X_OK) == 0 }
    }
}
