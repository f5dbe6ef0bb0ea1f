import CLocwatchPlatform

/// An amount of waiting data, such as a queue, whose memory is returned to the system after a peak.
package struct MemoryTrimmer {
    private let least: Int
    private var most = 0

    /// Creates an amount that has been 0 so far; the memory of less than `least` is not worth returning.
    package init(least: Int) { self.least = least }

    /// Notes the present amount; returns freed memory to the system if at most a quarter of a peak is left.
    ///
    /// - Returns: Whether memory was returned.
    @discardableResult package mutating func note(_ amount: Int) -> Bool {
        most = max(most, amount)
        guard most >= least, amount <= most / 4 else { return false }
        // Less than a millisecond for some megabytes.
        locwatch_release_memory()
        most = amount
        return true
    }
}
