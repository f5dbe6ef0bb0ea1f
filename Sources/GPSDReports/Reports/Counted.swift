/// A whole number that may be absent, in four bytes: satellites and fixes have many of them.
@propertyWrapper
public struct Counted: Hashable, Sendable {
    private var raw: Int32

    /// The number, or `nil` where it is absent; a number that 32 bits do not hold is not kept.
    @inline(__always) public var wrappedValue: Int? {
        get { raw == .min ? nil : Int(raw) }
        set { raw = newValue.flatMap { Int32(exactly: $0) } ?? .min }
    }

    /// Wraps a number that may be absent.
    @inline(__always) public init(wrappedValue: Int?) {
        raw = wrappedValue.flatMap { Int32(exactly: $0) } ?? .min
    }

    /// Wraps a number that is known to be small.
    @inline(__always) init(small number: Int) { raw = Int32(truncatingIfNeeded: number) }
}
