import LocationCore

/// An editor of a JSON object that leaves the text of all other members unchanged.
struct ReportMembers {
    private var members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

    /// Splits an object; `nil` if the text is not one with members.
    init?(_ object: ArraySlice<UInt8>) {
        guard object.first == UInt8(ascii: "{"), object.last == UInt8(ascii: "}") else { return nil }
        for part in Self.parts(of: object) {
            let member = part.drop { $0 == UInt8(ascii: " ") }
            guard member.first == UInt8(ascii: "\""),
                let keyEnd = member.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
                member[(keyEnd + 1)...].first == UInt8(ascii: ":")
            else { return nil }
            members.append((member.dropFirst()[..<keyEnd], member[(keyEnd + 2)...]))
        }
    }

    var text: ArraySlice<UInt8> {
        let texts: [ArraySlice<UInt8>] = members.map { [UInt8(ascii: "\"")] + $0.key + Array("\":".utf8) + $0.value }
        return Self.joined(texts, in: "{", "}")
    }

    /// The text of a member's value, or `nil` without it; setting `nil` removes the member.
    subscript(_ key: String) -> ArraySlice<UInt8>? {
        get { members.first { $0.key.elementsEqual(key.utf8) }?.value }
        set {
            let index = members.firstIndex { $0.key.elementsEqual(key.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((Array(key.utf8)[...], value))
            case (nil, nil): break
            }
        }
    }

    /// Sets the value of a member to a text of JSON.
    mutating func set(_ key: String, to json: String) { self[key] = Array(json.utf8)[...] }

    /// Removes all members but those with the given keys.
    mutating func keep(_ keys: Set<String>) {
        members.removeAll { !keys.contains(String(decoding: $0.key, as: UTF8.self)) }
    }

    func number(_ key: String) -> Double? {
        self[key].flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the elements of a member that is a list, or nothing for any other member.
    func elements(_ key: String) -> [ArraySlice<UInt8>] {
        guard let list = self[key], list.first == UInt8(ascii: "["), list.last == UInt8(ascii: "]") else { return [] }
        return Self.parts(of: list)
    }

    /// Changes the elements of a member that is a list.
    mutating func edit(_ key: String, _ change: (ArraySlice<UInt8>) -> ArraySlice<UInt8>) {
        let elements = elements(key)
        if !elements.isEmpty { self[key] = Self.joined(elements.map(change), in: "[", "]") }
    }

    private static func joined(
        _ parts: [ArraySlice<UInt8>], in start: Unicode.Scalar, _ end: Unicode.Scalar
    ) -> ArraySlice<UInt8> {
        [UInt8(ascii: start)] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: end)]
    }

    /// Returns the texts between the outermost commas of an object or a list.
    private static func parts(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex + 1
        var (depth, isInString, isEscaped) = (0, false, false)
        for (index, byte) in zip(text.indices, text) {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 1:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        parts.append(text[start..<(text.endIndex - 1)])
        return parts.filter { !$0.isEmpty }
    }
}
