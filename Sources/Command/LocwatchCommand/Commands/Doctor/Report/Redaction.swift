import LocationCore
import LocationGPSD
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession

/// The names of hosts and users that a report for others does not have.
struct Redaction: Hashable, Sendable {
    /// The names and the words in their places.
    private var words: [String: String] = [:]
    /// The accounts that every machine has.
    private static let common: Set = ["root", "gpsd", "nobody", "dialout"]

    init(_ source: SourceWord, _ machine: any ExaminedMachine, environment: [String: String]) {
        let users = [machine.user.name] + ["USER", "LOGNAME", "SUDO_USER"].compactMap { environment[$0] }
        let home = environment["HOME"].flatMap { $0.split(separator: "/").last.map(String.init) }
        for user in users + [home].compactMap(\.self) where !Self.common.contains(user) { words[user] = "USER" }
        let hosts = [source.isLocalDaemon ? nil : source.endpoint?.host, source.stream?.host].compactMap(\.self)
        for host in hosts + machine.hostNames where host != "localhost" { words[host] = "HOST" }
        words[""] = nil
    }

    /// Returns a text without the names, and without the hosts and users in addresses.
    func text(_ text: String) -> String {
        var bytes = Array(text.utf8)[...]
        var out: [UInt8] = []
        while let first = bytes.first {
            if bytes.starts(with: "://".utf8) {
                out += Array("://HOST".utf8)
                bytes = bytes.dropFirst(3).drop { !Self.endsAuthority($0) }
            } else if Self.isInName(first), out.last.map({ !Self.isInName($0) }) ?? true {
                let word = bytes.prefix(while: Self.isInName)
                out += replacement(of: String(decoding: word, as: UTF8.self)).utf8
                bytes = bytes.dropFirst(word.count)
            } else {
                out.append(first)
                bytes = bytes.dropFirst()
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Returns the word in the place of a name, or of a part of it between dots, as in `pi.local`.
    private func replacement(of word: String) -> String {
        if let known = words[word] { return known }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.map { words[$0] ?? $0 }.joined(separator: ".")
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte >= 0x80 || "-_.".utf8.contains(byte)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool { " \"'/,;\n\t?".utf8.contains(byte) }
}
