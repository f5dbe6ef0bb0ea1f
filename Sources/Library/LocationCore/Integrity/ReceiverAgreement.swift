/// The rule over several receivers of one machine: those that agreed for a while must not part.
///
/// Receivers that never agreed are at different places, and the rule ignores them. The first receivers are compared in pairs, so
/// the memory is constant.
struct ReceiverAgreement: Hashable, Sendable {
    private struct Pair: Hashable, Sendable {
        var agreedSince = Double.nan
        var partedSince = Double.nan
        var haveAgreed = false
    }

    private var pairs: [Pair] = []

    /// Compares the position of the receiver at `first`, which has reported, with another one's, and returns the
    /// distance if they disagree; their errors and the time between the positions explain the `limit`.
    ///
    /// `first` and `second` are less than `IntegrityRules.comparedReceivers`.
    mutating func compare(
        _ first: Int, _ second: Int, distance: Double, limit: Double, at time: Double
    ) -> Double? {
        let count = IntegrityRules.comparedReceivers
        if pairs.isEmpty { pairs = Array(repeating: Pair(), count: count * count) }
        let index = min(first, second) * count + max(first, second)
        if distance <= limit {
            pairs[index].partedSince = .nan
            if pairs[index].agreedSince.isNaN { pairs[index].agreedSince = time }
            if time - pairs[index].agreedSince >= IntegrityRules.agreement { pairs[index].haveAgreed = true }
            return nil
        }
        pairs[index].agreedSince = .nan
        guard pairs[index].haveAgreed else { return nil }
        if pairs[index].partedSince.isNaN { pairs[index].partedSince = time }
        let parted = time - pairs[index].partedSince
        // Receivers that have parted for long are at different places.
        if parted >= IntegrityRules.longestFall { pairs[index].haveAgreed = false }
        return parted >= IntegrityRules.disagreement ? distance : nil
    }
}
