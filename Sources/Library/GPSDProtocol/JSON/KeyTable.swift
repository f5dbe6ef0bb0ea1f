/// A key that is one of several kinds, such as a field of a table.
protocol ComposedKey: CaseIterable, RawRepresentable<String> {}

extension ComposedKey {
    init?(rawValue: String) {
        guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = key
    }
}

/// A table that finds the keys of a class by their bytes, without comparing strings.
///
/// A key of up to 13 bytes is two little-endian words, padded with zeros; longer keys are never known. The table is a
/// perfect hash of the pairs of words: one multiplication, one lookup, one comparison.
struct KeyTable<Key: RawRepresentable & CaseIterable & Sendable>: Sendable where Key.RawValue == String {
    struct KnownKey: Sendable {
        /// The key as it appears in a line, `"key":`.
        var text: ShortText
        var key: Key

        init(_ name: KeyWords, _ key: Key) { (text, self.key) = (ShortText(keyNamed: name), key) }
    }

    private struct Slot: Sendable {
        var low: UInt64
        var high: UInt64
        var entry: Int
    }

    /// All keys, in the order of their declaration, and then their other names.
    let entries: StaticBuffer<KnownKey>
    private let slots: StaticBuffer<Slot>
    private let multiplier: UInt64
    private let shift: UInt64

    /// Creates the table of all keys.
    ///
    /// - Parameter otherNames: Further names of keys, such as those of earlier releases of gpsd.
    init(otherNames: [(name: String, key: Key)] = []) {
        var entries: [KnownKey] = []
        var slots: [Slot] = []
        func add(_ name: String, _ key: Key) {
            guard let words = KeyWords(name.utf8), words.count <= 13 else {
                preconditionFailure("the key \(name) is longer than 13 bytes")
            }
            slots.append(Slot(low: words.low, high: words.high, entry: entries.count))
            entries.append(KnownKey(words, key))
        }
        for key in Key.allCases { add(key.rawValue, key) }
        for (name, key) in otherNames { add(name, key) }
        precondition(entries.count <= KeyOrder.capacity, "too many keys")
        var bits: UInt64 = 3
        while 1 << bits < slots.count * 8 { bits += 1 }
        var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
        // The last attempt in which a key took a place. With eight places per key, a multiplier without collisions is soon
        // found: after 66 attempts for the position reports.
        var takers = [Int](repeating: 0, count: 1 << bits)
        var attempt = 1
        func takesFreePlace(_ slot: Slot) -> Bool {
            let place = KeyTable.index(slot.low, slot.high, multiplier, 64 - bits)
            defer { takers[place] = attempt }
            return takers[place] != attempt
        }
        while !slots.allSatisfy(takesFreePlace) {
            multiplier = multiplier &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            multiplier |= 1
            attempt += 1
        }
        // Empty slots contain quotation marks, which no key contains.
        let none = Slot(low: KeyWords.ofQuotes, high: KeyWords.ofQuotes, entry: 0)
        var places = [Slot](repeating: none, count: 1 << bits)
        for slot in slots { places[KeyTable.index(slot.low, slot.high, multiplier, 64 - bits)] = slot }
        self.entries = StaticBuffer(entries)
        self.slots = StaticBuffer(places)
        self.multiplier = multiplier
        shift = 64 - bits
    }

    /// Returns the index of the entry whose key has these `count` bytes, if any.
    @inline(__always)
    func find(_ low: UInt64, _ high: UInt64, count: Int) -> Int? {
        // The index is a product shifted right to the number of bits of the table, so it is always within the table.
        let slot = slots.first + KeyTable.index(low, high, multiplier, shift)
        // The count distinguishes a zero that belongs to the key from padding; the length has three more bytes, two
        // quotation marks and the colon.
        guard slot.pointee.low == low, slot.pointee.high == high,
            (entries.first + slot.pointee.entry).pointee.text.count == count + 3
        else { return nil }
        return slot.pointee.entry
    }

    @inline(__always)
    private static func index(_ low: UInt64, _ high: UInt64, _ multiplier: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ (high &<< 3)) &* multiplier) &>> shift)
    }
}

/// The order of the keys in the last object; objects of a class have their keys in the same order, line after line.
///
/// A predicted key costs one comparison, and the start of its value is known without waiting for the bytes.
struct KeyOrder: Sendable {
    static let capacity = 127

    // Indexed by the preceding entry plus one; 0 is the beginning of an object. Every value is the index of an entry: 0
    // at first, and then only results of `KeyTable.find`.
    private var next = InlineArray<128, UInt8>(repeating: 0)

    /// The entry to expect after a place, which is 0 at the beginning and otherwise the preceding entry plus one.
    @inline(__always)
    subscript(after place: Int) -> Int {
        get { Int(next[place & 127]) }
        set { next[place & 127] = UInt8(truncatingIfNeeded: newValue) }
    }
}

/// A list that is never freed; there is one per class, created when the class is first met.
///
/// Unchecked, because pointers are not Sendable: nothing writes to the memory after `init`, and nothing frees it.
struct StaticBuffer<Element: Sendable>: @unchecked Sendable {
    let first: UnsafePointer<Element>

    init(_ elements: [Element]) {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
        first = UnsafePointer(memory)
    }
}

/// A text of at most 16 bytes, as two words with masks of the bytes that it covers, which is compared at once.
struct ShortText: Sendable {
    private let low: UInt64
    private let high: UInt64
    private let lowMask: UInt64
    private let highMask: UInt64
    /// The number of bytes.
    let count: Int

    /// Creates the text of a key of at most 13 bytes, with its quotation marks and its colon.
    init(keyNamed name: KeyWords) {
        var words = KeyWords()
        words.append(UInt8(ascii: "\""))
        (words.low, words.high) = (words.low | name.low << 8, name.high << 8 | name.low >> 56)
        words.count += name.count
        words.append(UInt8(ascii: "\""))
        words.append(UInt8(ascii: ":"))
        self.init(words)
    }

    init?(_ bytes: some Collection<UInt8>) {
        guard let words = KeyWords(bytes) else { return nil }
        self.init(words)
    }

    private init(_ words: KeyWords) {
        count = words.count
        (low, high) = (words.low, words.high)
        lowMask = count >= 8 ? .max : 1 << UInt64(count * 8) - 1
        // A shift by all 64 bits gives 0, and one less is every bit.
        highMask = count <= 8 ? 0 : 1 << UInt64((count - 8) * 8) &- 1
    }

    @inline(__always)
    func isAt(_ cursor: JSONScanner.Cursor) -> Bool {
        JSONScanner.word(cursor) & lowMask == low && JSONScanner.word(cursor + 8) & highMask == high
    }
}

/// The bytes of a short text as two words.
struct KeyWords {
    static let ofQuotes: UInt64 = 0x2222_2222_2222_2222
    static let ofClass: UInt64 = 0x73_7361_6C63

    var low: UInt64 = 0
    var high: UInt64 = 0
    /// The number of bytes.
    var count = 0

    init() {}

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= 16 else { return nil }
        for byte in bytes { append(byte) }
    }

    /// Appends a byte; there must be room for it.
    mutating func append(_ byte: UInt8) {
        if count < 8 { low |= UInt64(byte) << (count * 8) } else { high |= UInt64(byte) << ((count - 8) * 8) }
        count += 1
    }
}
