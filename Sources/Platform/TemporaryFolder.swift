import Glibc

/// Folders below /tmp for what a program needs while it runs.
package enum TemporaryFolder {
    /// Makes a new folder, whose name begins with a word, and which every user may look into; it is yours to remove.
    ///
    /// A gpsd that was started as root looks in as another user.
    package static func make(_ word: String) throws(SystemFailure) -> String {
        var name = Array("/tmp/\(word)-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil, chmod(name, 0o755) == 0 else {
            throw SystemFailure("make a folder in /tmp", code: errno)
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
