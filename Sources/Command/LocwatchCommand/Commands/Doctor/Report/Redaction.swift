import Glibc
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
            let beginsWord = out.last.map { !Self.isInName($0) } ?? true
            if let slashes = Self.slashes.first(where: { bytes.starts(with: $0.utf8) }) {
                out += Array("://HOST".utf8)
                bytes = Self.afterAuthority(bytes.dropFirst(slashes.utf8.count))
            } else if beginsWord, let address = Self.addressIPv6(bytes) {
                out += Self.isOfEveryMachine(address) ? Array(address) : Array("HOST".utf8)
                bytes = bytes.dropFirst(address.count)
            } else if beginsWord, Self.isInName(first) {
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

    /// The marks before the authority of a URL, in JSON perhaps with escapes.
    private static let slashes = ["://", #":\/\/"#]

    /// Returns what follows the user, the password, the host and the port.
    ///
    /// A password can contain every character, so all up to the last `@` of the quotation or the line belongs to it.
    private static func afterAuthority(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var host = bytes.startIndex
        var isEscaped = false
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\"") && !isEscaped) { break }
            if byte == UInt8(ascii: "@") { host = index + 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return bytes[host...].drop { !endsAuthority($0) }
    }

    /// Returns the IPv6 address with which some bytes begin, with its zone, or `nil` if they begin with something else.
    private static func addressIPv6(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var address = bytes.prefix { "0123456789abcdefABCDEF:.".utf8.contains($0) }.prefix(45)
        guard address.prefix(5).contains(UInt8(ascii: ":")) else { return nil }
        // A colon or a full stop after it belongs to the sentence.
        while !isIPv6(address) {
            guard let last = address.popLast(), ":.".utf8.contains(last) else { return nil }
        }
        let rest = bytes[address.endIndex...]
        guard rest.first == UInt8(ascii: "%") else { return rest.first?.isLetterOrDigit == true ? nil : address }
        return bytes[..<(rest.endIndex - rest.dropFirst().drop(while: isInName).count)]
    }

    private static func isIPv6(_ address: ArraySlice<UInt8>) -> Bool {
        var parsed = in6_addr()
        return inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &parsed) == 1
    }

    /// Whether an address is that of the loopback interface, or of all interfaces.
    private static func isOfEveryMachine(_ address: ArraySlice<UInt8>) -> Bool {
        address.elementsEqual("::1".utf8) || address.elementsEqual("::".utf8)
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
