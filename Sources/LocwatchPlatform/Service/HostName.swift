import Glibc

/// The name of this machine.
package enum HostName {
    /// The first part of the name, or `nil` if the machine has only the name that every machine has.
    package static var current: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        return label(of: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Returns the first part of a name, or `nil` if it does not distinguish the machine.
    static func label(of name: String) -> String? {
        let label = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard let text = String(label), !["", "localhost", "(none)"].contains(text.lowercased()) else { return nil }
        return text
    }
}
