/// The numbers that tell a satellite from others: that of its constellation and that within it, or else the receiver's own.
struct SatelliteName: Hashable, Sendable {
    /// The constellation by gpsd's number, or −1 if only the receiver's own number is known.
    let constellation: Int
    let number: Int

    /// Creates the name, or returns `nil` if no number is known, or only 0, which no satellite has.
    @inline(__always)
    init?(_ satellite: Satellite) {
        if let constellation = satellite.constellation, let number = satellite.number, number != 0 {
            (self.constellation, self.number) = (constellation.rawValue, number)
        } else if let number = satellite.prn ?? satellite.number, number != 0 {
            (self.constellation, self.number) = (-1, number)
        } else {
            return nil
        }
    }
}
