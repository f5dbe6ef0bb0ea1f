extension Array {
    /// Returns the array in pieces of a size, of which the last one can be shorter.
    package func pieces(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension Array where Element: Equatable {
    /// Returns whether elements are a run of these, without a gap.
    package func hasRun(_ part: [Element]) -> Bool {
        guard let first = part.first, let start = firstIndex(of: first) else { return false }
        return self[start...].starts(with: part)
    }
}
