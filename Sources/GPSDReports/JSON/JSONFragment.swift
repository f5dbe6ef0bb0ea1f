/// A value that this library does not decode, as its original JSON text.
public struct JSONFragment: Hashable, Sendable, CustomStringConvertible {
    /// The text between the colon and the next comma, such as `"3D"` with its quotes, `[1,2]` or `4.50`.
    public let text: String

    /// Creates a fragment from JSON text.
    public init(_ text: String) { self.text = text }

    /// The JSON text.
    public var description: String { text }
}
