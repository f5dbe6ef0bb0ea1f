import Glibc

package enum FolderNames {
    /// Returns the sorted names in a folder, by default without hidden ones; empty if it cannot be read.
    package static func list(_ folder: String, hidden: Bool = false) -> [String] { read(folder, hidden: hidden) ?? [] }

    /// Returns the sorted names in a folder, by default without hidden ones, or `nil`, with `errno` set, if it cannot be read.
    package static func read(_ folder: String, hidden: Bool = false) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { return nil }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if hidden ? name != "." && name != ".." : !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
