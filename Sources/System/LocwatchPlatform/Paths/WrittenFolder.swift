import Glibc

/// The folder in which a file is written, with which a confined process can write everything below the folder.
package enum WrittenFolder {
    /// The folders of the system, below which are the files of all programs or the devices.
    private static let ofSystem = ["/", "/dev", "/proc", "/sys"]

    /// Returns the folder of the system that would have to be allowed so that a file can be made or replaced, or `nil` if it can be
    /// written; a device, a pipe or a folder needs none.
    package static func ofSystem(around path: String) -> String? {
        var status = stat()
        let isThere = stat(path, &status) == 0
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else { return nil }
        let folder = isThere ? nearest(resolved(path) ?? path) : around(path)
        return isOfSystem(folder) ? resolved(folder) : nil
    }

    /// Returns the folder of a path; a name without one is in the current folder, and a name after the first slash in the root.
    package static func around(_ path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns whether a path leads to a folder of the system.
    static func isOfSystem(_ folder: String) -> Bool { resolved(folder).map(ofSystem.contains) ?? false }

    /// Returns a path with its symbolic links resolved, or `nil` if it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    /// Returns a folder, or the nearest folder around a path.
    static func nearest(_ path: String) -> String {
        var status = stat()
        var path = path
        while stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
            guard let slash = path.lastIndex(of: "/") else { return "." }
            path = String(path[..<slash])
            if path.isEmpty { return "/" }
        }
        return path
    }
}
