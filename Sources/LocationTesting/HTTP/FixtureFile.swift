import Glibc

/// Access to the files that a script names.
enum FixtureFile {
    /// Returns the bytes of a file, or `nil` if it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
        }
    }
}
