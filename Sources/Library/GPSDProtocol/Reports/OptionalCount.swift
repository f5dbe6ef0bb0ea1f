/// An optional integer in four bytes; satellites and fixes have many of them.
@propertyWrapper
package struct OptionalCount: Hashable, Sendable {
    private var raw: Int32

    /// The number, or `nil` if it is absent; a number outside the range of `Int32` is dropped.
    @inline(__always) package var wrappedValue: Int? {
        get { raw == .min ? nil : Int(raw) }
        set { raw = newValue.flatMap { Int32(exactly: $0) } ?? .min }
    }

    /// Wraps an optional number.
    @inline(__always) package init(wrappedValue: Int?) {
        raw = wrappedValue.flatMap { Int32(exactly: $0) } ?? .min
    }

    /// Wraps a number that is known to be small.
    @inline(__always) init(small number: Int) { raw = Int32(truncatingIfNeeded: number) }
}
