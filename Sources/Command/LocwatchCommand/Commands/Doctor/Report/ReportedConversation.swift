import LocationCore
import LocwatchTerminal

/// The messages of a gpsd as a report for others has them: what is about the programs and the receivers in full, and of the
/// others their number and the names of their members.
struct ReportedConversation: Sendable {
    /// The classes without a position.
    private static let full = ["VERSION", "DEVICES", "DEVICE", "WATCH", "ERROR"]
    private static let lineLimit = 20
    private static let lengthLimit = 2000
    private static let classLimit = 20

    private var lines: [String] = []
    private var isCut = false
    private var others: [(name: String, count: Int, members: [String])] = []

    mutating func process(_ line: [UInt8]) {
        let members = JSONMembers(line)
        guard let name = members.class else { return }
        if Self.full.contains(name) {
            // gpsd repeats its list of devices for each question.
            let said = name == "ERROR" ? Self.withoutQuotations(line) : line[...]
            let text = String(decoding: said.prefix(Self.lengthLimit), as: UTF8.self)
            if name == "DEVICES", lines.contains(where: { $0.hasPrefix(#"{"class":"DEVICES""#) }) {
                others.count("DEVICES", [])
            } else if lines.count < Self.lineLimit {
                lines.append(text)
            } else {
                isCut = true
            }
        } else if others.count < Self.classLimit || others.contains(where: { $0.name == name }) {
            others.count(name, members.names)
        }
    }

    /// Returns an error without what it quotes between the first and the last quotation mark within its text.
    ///
    /// gpsd repeats requests and devices of any program there.
    private static func withoutQuotations(_ line: [UInt8]) -> ArraySlice<UInt8> {
        let marks = line.indices.filter { index in
            switch line[index] {
            // That of "can't" is none.
            case UInt8(ascii: "'"):
                !(index > 0 && line[index - 1].isLetterOrDigit && index + 1 < line.count
                    && line[index + 1].isLetterOrDigit)
            case UInt8(ascii: "\""): index > 0 && line[index - 1] == UInt8(ascii: "\\")
            default: false
            }
        }
        guard let first = marks.first, let last = marks.last else { return line[...] }
        // One that is not closed quotes the rest.
        let end = first == last ? line.suffix(2).startIndex : last + 1
        let start = line[first] == UInt8(ascii: "\"") ? first - 1 : first
        return line[..<start] + Array("(…)".utf8) + line[max(first, end)...]
    }

    /// Appends the messages.
    func put(into out: inout TextBuffer) {
        guard !lines.isEmpty || !others.isEmpty else { return }
        out.put("\nmessages of gpsd\n")
        for line in lines { out.put("  \(line.printable)\n") }
        if isCut { out.put("  and more of these\n") }
        for (name, count, members) in others {
            let names = members.isEmpty ? "" : ": \(members.joined(separator: " "))"
            out.put("  \(count) \(name.printable)\(names.printable)\n")
        }
    }
}

extension [(name: String, count: Int, members: [String])] {
    /// Counts a message of a class, and keeps the names of its members.
    fileprivate mutating func count(_ name: String, _ members: [String]) {
        guard let index = firstIndex(where: { $0.name == name }) else { return append((name, 1, members)) }
        self[index].count += 1
        let new = members.filter { !self[index].members.contains($0) }
        self[index].members += new.prefix(Swift.max(0, JSONMembers.limit - self[index].members.count))
    }
}

/// The names of the members of a JSON object, without those of objects in it, and its class.
private struct JSONMembers {
    static let limit = 60
    private(set) var names: [String] = []
    private(set) var `class`: String?

    init(_ line: [UInt8]) {
        var depth = 0
        var last: String?
        var isClass = false
        var bytes = line[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":") where depth == 1:
                guard let name = last else { break }
                isClass = name == "class"
                if !isClass, names.count < Self.limit, !names.contains(name) { names.append(name) }
            case UInt8(ascii: "\""):
                var text: [UInt8] = []
                while let next = bytes.popFirst(), next != UInt8(ascii: "\"") {
                    text.append(next)
                    if next == UInt8(ascii: "\\"), let escaped = bytes.popFirst() { text.append(escaped) }
                }
                let word = String(decoding: text.prefix(40), as: UTF8.self)
                if isClass, self.class == nil { self.class = word }
                isClass = false
                last = word
            default: break
            }
        }
    }
}
