/// The arguments of a gpsd that runs, as far as they tell how it can be used.
package struct GPSDArguments: Hashable, Sendable {
    /// The port of a gpsd that is given none.
    package static let usualPort: UInt16 = 2947

    /// Whether it reads its receivers without waiting for a client (`-n`).
    package private(set) var readsAtOnce = false
    /// Whether it writes nothing to its receivers (`-b`).
    package private(set) var isReadOnly = false
    /// The port that it was given (`-S`), if any.
    package private(set) var port: UInt16?

    /// The options with a value, which follows in the same word or is the next one.
    private static let valued = Array("DFfPSs".utf8)

    /// - Parameter text: The text of /proc/…/cmdline, in which a zero byte follows each word.
    package init(commandLine text: String) {
        var words = text.split(separator: "\0", omittingEmptySubsequences: false).dropFirst()
        while let word = words.popFirst() {
            guard word.utf8.first == UInt8(ascii: "-") else { continue }
            if word.hasPrefix("--") {
                let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
                switch parts.first {
                case "nowait": readsAtOnce = true
                case "readonly": isReadOnly = true
                case "port": port = (parts.count > 1 ? parts[1] : words.popFirst()).flatMap { UInt16($0) }
                default: break
                }
                continue
            }
            var letters = word.utf8.dropFirst()
            while let letter = letters.popFirst() {
                if letter == UInt8(ascii: "n") { readsAtOnce = true }
                if letter == UInt8(ascii: "b") { isReadOnly = true }
                guard Self.valued.contains(letter) else { continue }
                let value = letters.isEmpty ? words.popFirst() : Substring(letters)
                if letter == UInt8(ascii: "S") { port = value.flatMap { UInt16($0) } }
                break
            }
        }
    }
}
