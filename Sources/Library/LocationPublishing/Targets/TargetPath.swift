import LocationCore

/// The parts of a TARGET word that names a path of this machine: the path, and parameters after a question mark.
struct TargetPath {
    /// The path; it can begin with `~/`, which shells leave as it is in the middle of a word.
    let path: String
    private var parameters: [(name: Substring, value: Substring)] = []

    init(_ text: Substring) throws(PublishError) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
        path = String(text[..<end])
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .noPath }
        var rest = text[end...].dropFirst()
        while !rest.isEmpty {
            let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1] : ""
            // A template can have any character, so it is the last parameter.
            let length = parts[0] == "format" ? value.endIndex : value.firstIndex(of: "&") ?? value.endIndex
            guard parts[0] != "format" || !Self.endsWithMode(value) else { throw .modeAfterTemplate }
            parameters.append((parts[0], value[..<length]))
            rest = value[length...].dropFirst()
        }
    }

    /// Whether a template ends as if a mode followed it, such as `&mode=640`.
    private static func endsWithMode(_ template: Substring) -> Bool {
        let digits = template.utf8.reversed().prefix { 0x30...0x37 ~= $0 }.count
        return 1...4 ~= digits && template.utf8.dropLast(digits).reversed().starts(with: "&mode=".utf8.reversed())
    }

    /// Returns the value of a parameter, if the word has it.
    func value(of name: String) -> String? { parameters.last { $0.name == name }.map { String($0.value) } }

    /// Returns the value of a parameter of the target, if it was given.
    func value(of parameter: TargetParameter) throws(PublishError) -> String? {
        guard let value = value(of: parameter.name) else { return nil }
        return try parameter.checked(value)
    }

    /// The permissions in the parameter `mode`; without it, only the owner can read and write.
    func mode() throws(PublishError) -> UInt32 {
        guard let text = value(of: "mode") else { return 0o600 }
        guard text.utf8.allSatisfy({ 0x30...0x37 ~= $0 }), let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw .badMode(text)
        }
        return mode
    }

    /// Throws an error if the word has another parameter.
    func requireParameters(_ names: [String]) throws(PublishError) {
        if let other = parameters.first(where: { !names.contains(String($0.name)) }) {
            throw .unexpectedParameter(String(other.name))
        }
    }
}
