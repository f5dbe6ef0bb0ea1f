import Glibc
import LocwatchPlatform

/// The names of files that follow each other: `log.gpx`, `log-2.gpx`, `log-3.gpx`.
struct NumberedNames: Sendable {
    private let plain: String
    /// The parts of a name before and behind a number.
    private let parts: (beginning: Substring, end: Substring)
    private let separator: String

    /// - Parameters:
    ///   - plain: The path of the first file.
    ///   - separator: The text in front of a number.
    init(_ plain: String, separator: String) {
        self.plain = plain
        self.separator = separator
        let place = Self.extensionPlace(in: plain)
        parts = (plain[..<place], plain[place...])
    }

    /// Returns the path of a file by its number, counted from 1.
    func path(_ number: Int) -> String {
        number == 1 ? plain : parts.beginning + separator + String(number) + parts.end
    }

    /// Returns the greatest number of a file that exists, or `nil` if there is none.
    ///
    /// The folder is read instead of trying one number after another, because older files may have been removed.
    func newest() -> Int? {
        let first = Self.isFile(plain) ? 1 : nil
        let folder = WrittenFolder.around(plain)
        guard let directory = opendir(folder) else { return newestInTurn(after: first) }
        defer { closedir(directory) }
        let start = parts.beginning.lastIndex(of: "/").map { parts.beginning.index(after: $0) }
        let prefix = parts.beginning[(start ?? parts.beginning.startIndex)...] + separator
        var newest = first
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix), name.hasSuffix(parts.end),
                name.utf8.count > prefix.utf8.count + parts.end.utf8.count
            else { continue }
            let digits = Substring(name.utf8.dropFirst(prefix.utf8.count).dropLast(parts.end.utf8.count))
            // `log-02.gpx` and `log-2026-05-01.gpx` are files of other logs.
            guard let number = Int(digits), String(number) == digits, max(newest ?? 1, 1) < number, number < Int.max,
                Self.isFile("\(folder)/\(name)")
            else { continue }
            newest = number
        }
        return newest
    }

    /// Returns the last number before the first missing one, for a folder that cannot be read.
    private func newestInTurn(after first: Int?) -> Int? {
        guard var number = first else { return nil }
        while Self.isFile(path(number + 1)) { number += 1 }
        return number
    }

    /// Returns whether a path leads to a regular file, maybe over a link.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the place of the extension in a path, which is its end if there is none.
    static func extensionPlace(in path: String) -> String.Index {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path[name...].lastIndex(of: "."), point > name else { return path.endIndex }
        return point
    }
}
