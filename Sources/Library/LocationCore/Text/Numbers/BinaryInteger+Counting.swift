extension BinaryInteger {
    /// Returns the number with the name of what it counts, as in `1 device` and `3 devices`.
    package func counting(_ thing: String) -> String { self == 1 ? "1 \(thing)" : "\(self) \(thing)s" }
}
