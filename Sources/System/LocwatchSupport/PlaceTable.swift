/// The places of elements by their hash values: a hash table without the elements themselves, which are in an array.
///
/// It takes 8 bytes for each slot, of which up to three quarters are in use, and a dictionary from names takes 24: for 100,000
/// machines 2 MB instead of 6, in each of the collections that a session has of them.
@usableFromInline
struct PlaceTable: Hashable, Sendable {
    /// The lower half of a hash value, and the place plus one; 0 is a free slot.
    @usableFromInline var slots: [UInt64] = []
    /// The number of places.
    @usableFromInline private(set) var count = 0

    @inlinable
    init() {}

    /// Returns the place of an element with a hash value that `isMatch` accepts, if any.
    @inlinable
    func place(of hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count - 1
        let mark = UInt32(truncatingIfNeeded: hash)
        var index = Int(mark) & mask
        while slots[index] != 0 {
            if UInt32(slots[index] >> 32) == mark {
                let place = Int(UInt32(truncatingIfNeeded: slots[index])) - 1
                if isMatch(place) { return place }
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds an element, at the place after the last one.
    @usableFromInline
    mutating func append(_ hash: Int) {
        if 4 * (count + 1) > 3 * slots.count { grow() }
        count += 1
        insert(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(count))
    }

    private mutating func grow() {
        let full = slots
        slots = Array(repeating: 0, count: max(16, 2 * full.count))
        for slot in full where slot != 0 { insert(slot) }
    }

    private mutating func insert(_ slot: UInt64) {
        let mask = slots.count - 1
        var index = Int(slot >> 32) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
