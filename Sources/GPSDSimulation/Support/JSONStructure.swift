/// Finds the bytes of JSON that are outside of its strings.
struct JSONStructure {
    private var isInString = false
    private var isEscaped = false

    /// Returns whether the next byte is part of the structure; a quotation mark belongs to its string.
    mutating func contains(_ byte: UInt8) -> Bool {
        if isInString {
            isInString = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return false
        }
        isInString = byte == UInt8(ascii: "\"")
        return !isInString
    }
}
