/// The records that a target has taken, and those that it may have got, as a queue keeps them from one run of the program to the next.
///
/// A mark is stored before the records are sent, so that a killed program knows of each record that it may have sent.
package struct DeliveryMark: Hashable, Sendable {
    /// The number below which the target has taken every record.
    package var low: UInt64
    /// The number below which each record may have been sent.
    package var sentEnd: UInt64
    /// The numbers of the records from `sentEnd` on that may have been sent, ahead of older ones.
    package var ahead: Set<UInt64>

    /// Creates the mark of a target that has got no record from a number on.
    package init(low: UInt64) { self.init(low: low, sentEnd: low) }

    package init(low: UInt64, sentEnd: UInt64, ahead: Set<UInt64> = []) {
        (self.low, self.sentEnd, self.ahead) = (low, sentEnd, ahead)
    }

    /// Returns whether a record may have been sent.
    package func mayHaveSent(_ number: UInt64) -> Bool { number < sentEnd || ahead.contains(number) }
}

extension DeliveryMark {
    /// The records that may have been sent, as in `<120 130 140`: all below a number, and others.
    var sentText: String { (["<\(sentEnd)"] + ahead.sorted().map(String.init)).joined(separator: " ") }

    /// Creates the mark that a queue has stored.
    ///
    /// Release 0.5 stored the ranges that a target had taken before older records, as in `6-6 8-9`. They are sent again.
    init(low: UInt64, sentText: String) {
        self.init(low: low)
        for word in sentText.split(separator: " ") {
            if word.hasPrefix("<"), let number = UInt64(word.dropFirst()) {
                sentEnd = max(sentEnd, number)
            } else if let last = word.split(separator: "-").last.flatMap({ UInt64($0) }) {
                if word.utf8.contains(UInt8(ascii: "-")) {
                    sentEnd = max(sentEnd, last == .max ? last : last + 1)
                } else {
                    ahead.insert(last)
                }
            }
        }
    }
}
