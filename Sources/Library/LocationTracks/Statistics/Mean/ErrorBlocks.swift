import LocationCore

/// The means of consecutive blocks of offsets that are as long as each other, in bounded memory.
///
/// A block is a second long at first. Once there are `limit` blocks, each two become one, so that there are always at least half as
/// many: enough to see how long the errors within them remain alike.
struct ErrorBlocks: Sendable {
    static let limit = 64
    /// The number of blocks from which on they say something.
    static let least = 16

    /// The sums of one block.
    struct Block: Sendable {
        var count = 0.0
        var east = 0.0
        var north = 0.0
        var heights = 0.0
        var up = 0.0

        static func + (first: Block, second: Block) -> Block {
            Block(
                count: first.count + second.count, east: first.east + second.east, north: first.north + second.north,
                heights: first.heights + second.heights, up: first.up + second.up)
        }
    }

    /// The length of a block in seconds.
    private(set) var length = 1.0
    private(set) var blocks: [Block] = []
    /// The time of the last offset in seconds.
    private(set) var end = 0.0

    /// Adds an offset at a time in seconds since the first one; a time that goes back counts as the last one.
    mutating func process(_ offset: GroundOffset, up: Double?, at seconds: Double) {
        if seconds > end, seconds.isFinite { end = seconds }
        while end >= length * Double(Self.limit) { merge() }
        let place = Int(clamping: end / length)
        while blocks.count <= place { blocks.append(Block()) }
        blocks[place].count += 1
        blocks[place].east += offset.east
        blocks[place].north += offset.north
        guard let up else { return }
        blocks[place].heights += 1
        blocks[place].up += up
    }

    /// Makes each two blocks one.
    private mutating func merge() {
        blocks = stride(from: 0, to: blocks.count, by: 2).map { place in
            place + 1 < blocks.count ? blocks[place] + blocks[place + 1] : blocks[place]
        }
        length *= 2
    }

    /// The blocks that are over, as long as it takes for at most one in ten to be empty; `nil` if they are too few.
    ///
    /// A receiver that reports every minute leaves short blocks empty.
    var whole: ErrorBlocks? {
        var whole = self
        whole.blocks.removeLast(max(0, blocks.count - Int(clamping: end / length)))
        while whole.blocks.count >= Self.least {
            guard whole.blocks.count(where: { $0.count == 0 }) * 10 > whole.blocks.count else { return whole }
            if whole.blocks.count % 2 == 1 { whole.blocks.removeLast() }
            whole.merge()
        }
        return nil
    }
}
