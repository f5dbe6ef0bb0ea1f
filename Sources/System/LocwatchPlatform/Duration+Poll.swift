extension Duration {
    /// The duration in milliseconds for poll(2), clamped, and rounded up so that a wait never ends early.
    package var wholeMilliseconds: Int32 {
        let roundedUp = attoseconds + 999_999_999_999_999
        // Up to nine seconds fit into 64 bits, and a division of 128 bits is slow.
        if let small = Int64(exactly: roundedUp) { return Int32(clamping: max(0, small / 1_000_000_000_000_000)) }
        return Int32(clamping: max(0, roundedUp / 1_000_000_000_000_000))
    }
}
