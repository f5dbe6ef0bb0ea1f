import Glibc

package enum FileText {
    /// Returns the first 64 kB of a file as text, or `nil` if it cannot be read.
    package static func read(_ path: String) -> String? { try? contents(of: path) }

    /// Returns the beginning of a file as text.
    package static func contents(of path: String, limit: Int = 65_536) throws(SystemFailure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemFailure("read", code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, bytes.isEmpty { throw SystemFailure("read", code: errno) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
