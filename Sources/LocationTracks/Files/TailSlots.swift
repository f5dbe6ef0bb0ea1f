/// Two places for the unfinished content at the end of an XML file, of which a single byte makes one visible.
///
/// KML lists all times of a gx:Track before its positions, so a point changes the track in two places. A new version of the
/// track is therefore written into the hidden slot, and then shown by one byte (`cover`), here the first ␠:
///
///     … <?locwatch ?␠ first slot <!--locwatch    ?> second slot <?locwatch    --><?locwatch ?␠   …
///
/// With a space the instruction hides the first slot and ends before the second one. With `>` it ends before the first
/// slot, and a comment hides the second one. The spaces at the end of the visible slot are always hidden.
struct TailSlots {
    /// The greatest length of a point, which is above that of a time and three numbers.
    static let pointLimit = 256

    /// The offset of the byte that shows the first slot.
    var cover: Int
    /// The size of a slot.
    private let capacity: Int
    /// Whether the first slot is visible.
    private(set) var showsFirst = true
    /// The length of the visible content.
    private(set) var shownCount: Int

    /// The opening of the text that hides the rest of the first slot and the second one.
    private static let afterFirst = XMLPlaceholder.commentOpening
    /// The opening of the text that hides the rest of the second slot.
    private static let afterSecond = XMLPlaceholder.opening.dropLast()

    /// Creates slots for content of at least a length.
    init(cover: Int, leastCapacity: Int, showing count: Int) {
        self.cover = cover
        capacity = max(leastCapacity, count) + 2 * Self.pointLimit
        shownCount = count
    }

    /// The offset of the byte that ends the instruction between the slots, when it is `>`.
    var joint: Int { cover + 1 + capacity + 1 }

    /// The offset of the hidden slot.
    var hiddenPlace: Int { showsFirst ? joint + 1 : cover + 1 }

    /// The content that clears the hidden slot.
    var cleared: [UInt8] { XMLPlaceholder.spaces(capacity) }

    /// Returns whether content of a length fits into a slot.
    func hasRoom(for count: Int) -> Bool {
        count + max(Self.afterFirst.count, Self.afterSecond.count) <= capacity
    }

    /// Returns both slots with content in the first one, to be written after the cover and before another placeholder.
    ///
    /// - Parameter isJoined: Whether the joint has its `>`, without which a cover that is a space hides everything.
    func bytes(with text: [UInt8], isJoined: Bool) -> [UInt8] {
        filled(text, Self.afterFirst) + [UInt8(ascii: "?"), isJoined ? XMLPlaceholder.shown : XMLPlaceholder.hidden]
            + filled([], Array(Self.afterSecond)) + XMLPlaceholder.commentClosing
    }

    /// Returns the content of the hidden slot with a new version.
    func hiddenSlot(with text: [UInt8]) -> [UInt8] {
        filled(text, showsFirst ? Array(Self.afterSecond) : Self.afterFirst)
    }

    /// Notes that the other slot is visible, with content of a length.
    mutating func swap(showing count: Int) {
        showsFirst.toggle()
        shownCount = count
    }

    private func filled(_ text: [UInt8], _ opening: [UInt8]) -> [UInt8] {
        text + opening + XMLPlaceholder.spaces(max(0, capacity - text.count - opening.count))
    }
}
