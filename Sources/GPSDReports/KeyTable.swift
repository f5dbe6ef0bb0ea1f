/// The keys of a class, found by their bytes without a comparison of strings.
///
/// A key of up to 15 bytes is two little-endian words, the first bytes lowest, filled up with zeros; longer keys are
/// never known ones. The table is a perfect hash over the first words' pairs: one multiplication, one look, one compare.
struct KeyTable<Key: RawRepresentable & CaseIterable & Sendable>: Sendable where Key.RawValue == String {
    struct Slot: Sendable {
        var low: UInt64
        var high: UInt64
        var key: Key
    }

    private let slots: KeySlots<Slot>
    private let multiplier: UInt64
    private let shift: UInt64

    init() {
        let keys = Key.allCases.map { key in
            let words = KeyWords(key.rawValue.utf8)
            guard let words else { preconditionFailure("the key \(key.rawValue) is longer than 15 bytes") }
            return Slot(low: words.low, high: words.high, key: key)
        }
        var bits: UInt64 = 3
        while 1 << bits < keys.count * 8 { bits += 1 }
        var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
        // With eight slots a key some multiplier soon sends no two keys to one slot.
        while Set(keys.map { KeyTable.index($0.low, $0.high, multiplier, 64 - bits) }).count < keys.count {
            multiplier = multiplier &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            multiplier |= 1
        }
        // No key holds a quotation mark, so a word of them belongs to none.
        let none = KeyWords.ofQuotes
        var slots = [Slot](repeating: Slot(low: none, high: none, key: keys[0].key), count: 1 << bits)
        for slot in keys { slots[KeyTable.index(slot.low, slot.high, multiplier, 64 - bits)] = slot }
        self.slots = KeySlots(slots)
        self.multiplier = multiplier
        shift = 64 - bits
    }

    /// The key of these bytes, if it is one of the class.
    @inline(__always)
    func find(_ low: UInt64, _ high: UInt64) -> Key? {
        // The index is a product shifted right to as many bits as the table has, so it is always within the table.
        let slot = slots.first + KeyTable.index(low, high, multiplier, shift)
        return slot.pointee.low == low && slot.pointee.high == high ? slot.pointee.key : nil
    }

    @inline(__always)
    private static func index(_ low: UInt64, _ high: UInt64, _ multiplier: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ (high &<< 3)) &* multiplier) &>> shift)
    }
}

/// Slots that live as long as the program: there is one table a class, made when the class is first met.
///
/// Unchecked, because pointers are not Sendable: nothing writes to the memory after `init`, and nothing frees it.
struct KeySlots<Slot: Sendable>: @unchecked Sendable {
    let first: UnsafePointer<Slot>

    init(_ slots: [Slot]) {
        let memory = UnsafeMutablePointer<Slot>.allocate(capacity: slots.count)
        for (index, slot) in slots.enumerated() { (memory + index).initialize(to: slot) }
        first = UnsafePointer(memory)
    }
}

/// The bytes of a short key as two words.
struct KeyWords {
    static let ofQuotes: UInt64 = 0x2222_2222_2222_2222
    static let ofClass: UInt64 = 0x73_7361_6C63

    var low: UInt64 = 0
    var high: UInt64 = 0

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count < 16 else { return nil }
        for (index, byte) in bytes.enumerated() {
            if index < 8 { low |= UInt64(byte) << (index * 8) } else { high |= UInt64(byte) << ((index - 8) * 8) }
        }
    }
}
