import LocationCore

extension Double {
    /// The number to four decimals: of a computed length, more than a tenth of a millimetre says nothing.
    var toFourDecimals: Double { (self * 10_000).rounded() / 10_000 }
}

extension Coordinate {
    /// The coordinate to nine decimals, which are a tenth of a millimetre.
    var toNineDecimals: Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
        return Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))
    }
}
