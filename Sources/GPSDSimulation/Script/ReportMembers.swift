import LocationCore

/// The members of a JSON object, as slices of its text.
struct ReportMembers {
    private var members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

    /// Splits an object; `nil` if the text is not one with members.
    init?(_ object: ArraySlice<UInt8>) {
        guard object.first == UInt8(ascii: "{"), object.last == UInt8(ascii: "}") else { return nil }
        var rest = object.dropFirst().dropLast()
        while !rest.isEmpty {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
            guard rest.first == UInt8(ascii: "\""), let keyEnd = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
                rest[(keyEnd + 1)...].first == UInt8(ascii: ":")
            else { return nil }
            let end = Self.endOfValue(rest[(keyEnd + 2)...])
            members.append((rest[(rest.startIndex + 1)..<keyEnd], rest[(keyEnd + 2)..<end]))
            rest = rest[end...]
        }
    }

    /// The object.
    var text: ArraySlice<UInt8> {
        var text = [UInt8(ascii: "{")]
        for (key, value) in members {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text.append(UInt8(ascii: "\""))
            text += key
            text += Array("\":".utf8)
            text += value
        }
        text.append(UInt8(ascii: "}"))
        return text[...]
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

    /// Removes all members but those with the given keys.
    mutating func keep(_ keys: Set<String>) {
        members.removeAll { !keys.contains(String(decoding: $0.key, as: UTF8.self)) }
    }

    /// Returns the number of a member.
    func number(_ key: String) -> Double? {
        self[key].flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    }

    private static func endOfValue(_ text: ArraySlice<UInt8>) -> Int {
        var depth = 0
        var structure = JSONStructure()
        for (index, byte) in zip(text.indices, text) {
            guard structure.contains(byte) else { continue }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return index
            default: break
            }
        }
        return text.endIndex
    }
}
