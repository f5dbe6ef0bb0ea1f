extension Substring {
    /// The text without the blanks around it, which can be those of a page from which it was copied.
    package var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
