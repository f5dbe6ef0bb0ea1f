/// The reason why a text or a number is not a value, such as an address, a template or the shape of a fence.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without a full stop that says what is wrong, in English.
    public let description: String

    /// The name in the text that is unknown, if that is the reason.
    package let unknownName: String?

    package init(_ description: String, unknownName: String? = nil) {
        self.description = description
        self.unknownName = unknownName
    }
}
