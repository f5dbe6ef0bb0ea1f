import Glibc
import LocwatchTerminal

/// A part of a row that differs from the frame before; without cells, the rest of the row is now blank.
struct FrameChange {
    let row: Int
    let start: Int
    var end: Int
    var isBlankRest = false
}

extension Frame {
    /// Appends the parts of a row that differ from another frame of the same size, from left to right.
    ///
    /// Compares memory first, and then cells without bounds checks: at 80 × 24 that took 55,000 instructions a frame with
    /// slices of arrays, and takes 8,000 now. A wide character ends a part, because terminals disagree about its width.
    func appendChanges(in row: Int, since other: Frame, to changes: inout [FrameChange]) {
        let (start, columns) = (row * size.columns, size.columns)
        cells.withUnsafeBufferPointer { new in
            other.cells.withUnsafeBufferPointer { old in
                // Both frames have the same size, and the row lies within them.
                guard let new = new.baseAddress.map({ $0 + start }), let old = old.baseAddress.map({ $0 + start }),
                    memcmp(new, old, columns * MemoryLayout<Cell>.stride) != 0
                else { return }
                // The cells from here to the end of the row are blank.
                var end = columns
                while end > 0, new[end - 1] == .blank { end -= 1 }
                var change: FrameChange?
                var column = 0
                while column < end {
                    let isWide = column + 1 < columns && new[column + 1].isRightHalf
                    let width = isWide ? 2 : 1
                    if new[column] != old[column] || isWide && !old[column + 1].isRightHalf {
                        if let known = change, known.end == column {
                            change?.end += width
                        } else {
                            if let change { changes.append(change) }
                            change = FrameChange(row: row, start: column, end: column + width)
                        }
                        if isWide, let known = change {
                            changes.append(known)
                            change = nil
                        }
                    }
                    column += width
                }
                if let change { changes.append(change) }
                while column < columns, old[column] == .blank { column += 1 }
                if column < columns {
                    changes.append(FrameChange(row: row, start: end, end: columns, isBlankRest: true))
                }
            }
        }
    }
}
