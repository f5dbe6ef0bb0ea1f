/// The reason why a text or a number is not a value, such as an address or the shape of a fence.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without a full stop that says what is wrong, in English.
    public let description: String

    /// Creates an error with a sentence.
    package init(_ description: String) { self.description = description }
}
