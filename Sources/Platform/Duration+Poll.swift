extension Duration {
    /// Rounded up, so that a wait never ends before its time, and kept within what poll takes.
    package var wholeMilliseconds: Int32 {
        let roundedUp = attoseconds + 999_999_999_999_999
        // Nine seconds fit into 64 bits, and a division by 128 bits is a long way.
        if let small = Int64(exactly: roundedUp) { return Int32(clamping: max(0, small / 1_000_000_000_000_000)) }
        return Int32(clamping: max(0, roundedUp / 1_000_000_000_000_000))
    }
}
