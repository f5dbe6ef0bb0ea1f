/// A value that takes no part in comparisons of the value that contains it, such as one that follows from others.
@propertyWrapper package struct IgnoredInEquality<Value: Sendable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (_: IgnoredInEquality, _: IgnoredInEquality) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
