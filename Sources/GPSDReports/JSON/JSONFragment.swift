/// A value that this library does not decode, as its original JSON text.
package struct JSONFragment: Hashable, Sendable, CustomStringConvertible {
    /// The text between the colon and the next comma, such as `"3D"` with its quotes, `[1,2]` or `4.50`.
    package let text: String

    /// Creates a fragment from JSON text.
    package init(_ text: String) { self.text = text }

    /// The JSON text.
    package var description: String { text }
}
