extension Optional where Wrapped: Comparable {
    /// Replaces the value by a smaller one, such as a deadline by an earlier one; `nil` stands for no limit, on either side.
    ///
    /// It is inlinable and public for the reason that `PerDevice` states.
    @inlinable
    public mutating func shorten(to other: Wrapped?) {
        guard let other else { return }
        if let value = self, value <= other { return }
        self = other
    }
}
