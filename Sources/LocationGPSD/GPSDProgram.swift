import Glibc

/// Where the program gpsd is.
package enum GPSDProgram {
    /// The folders in which it is looked for: those of `PATH`, and those that only root's has.
    static var folders: [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        var folders: [String] = []
        for folder in path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
        where !folders.contains(folder) {
            folders.append(folder)
        }
        return folders
    }

    /// The first gpsd that can be run.
    package static var path: String? {
        folders.lazy.map { $0 + "/gpsd" }.first { access($0, X_OK) == 0 }
    }
}
