import Glibc

/// Folders below /tmp for temporary files.
package enum TemporaryFolder {
    /// Creates a folder whose name begins with a word; it is the caller's to remove.
    ///
    /// Every user may read it, because a gpsd that was started by root runs as another user.
    package static func make(_ word: String) throws(SystemFailure) -> String {
        var name = Array("/tmp/\(word)-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil, chmod(name, 0o755) == 0 else {
            throw SystemFailure("make a folder in /tmp", code: errno)
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
