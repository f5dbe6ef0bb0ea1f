/// A parameter of a query, as in `name=value`.
package struct QueryItem {
    package let text: Substring
    package let name: Substring
    /// The value, percent-decoded, or `nil` without an equals sign.
    package let value: String?

    /// Creates the parameter of a part between two `&`.
    package init(_ text: Substring) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts[0]
        value = parts.count == 2 ? PercentEncoding.decode(parts[1]) : nil
    }
}
