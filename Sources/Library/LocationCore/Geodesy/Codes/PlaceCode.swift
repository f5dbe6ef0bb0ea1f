/// A code whose length says how exact it is.
package enum PlaceCode: String, CaseIterable, Hashable, Sendable {
    case geohash, maidenhead, pluscode

    /// The numbers of characters that a code can have, without the plus sign of a plus code.
    package var lengths: Set<Int> {
        switch self {
        case .geohash: Geohash.lengths
        case .maidenhead: MaidenheadLocator.lengths
        case .pluscode: PlusCode.lengths
        }
    }

    /// The length of a code if no other one is requested.
    package var usualLength: Int {
        switch self {
        case .geohash: Geohash.usualLength
        case .maidenhead: MaidenheadLocator.usualLength
        case .pluscode: PlusCode.usualLength
        }
    }

    /// Returns the code of a place, of one of the lengths.
    package func text(of place: Coordinate, length: Int) -> String {
        switch self {
        case .geohash: Geohash.text(of: place, length: length)
        case .maidenhead: MaidenheadLocator.text(of: place, length: length)
        case .pluscode: PlusCode.text(of: place, length: length)
        }
    }
}
