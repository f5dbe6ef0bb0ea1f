/// A value that this library has no place for, as the JSON text that it came in.
public struct JSONFragment: Hashable, Sendable, CustomStringConvertible {
    /// The text between the colon and the next comma, such as `"3D"` with its quotes, `[1,2]` or `4.50`.
    public let text: String

    /// A value as its JSON text.
    public init(_ text: String) { self.text = text }

    /// The JSON text.
    public var description: String { text }
}
