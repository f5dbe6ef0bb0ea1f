import Glibc

package enum HostName {
    /// The first part of the name, or `nil` if the machine has only the name that every machine has.
    package static var current: String? { whole.flatMap { label(of: $0) } }

    /// The names by which other machines of the network address this one: the name, its first part, and that in the domain
    /// of multicast DNS, which has no names of other networks.
    package static var all: [String] { whole.map { all(of: $0) } ?? [] }

    static func all(of name: String) -> [String] { label(of: name).map { [name, $0, "\($0).local"] } ?? [] }

    private static var whole: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the first part of a name, or `nil` if it does not distinguish the machine.
    static func label(of name: String) -> String? {
        let label = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard let text = String(label), !["", "localhost", "(none)"].contains(text.lowercased()) else { return nil }
        return text
    }
}
