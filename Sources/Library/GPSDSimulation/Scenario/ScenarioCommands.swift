/// The commands that a simulated receiver takes from gpsd, and what becomes of them.
package struct ScenarioCommands: Hashable, Sendable {
    /// The maker of the receiver, whose commands it takes.
    package enum Maker: Hashable, Sendable { case uBlox, mediaTek }

    /// The behaviour of the receiver when it is asked for another rate.
    package enum Manner: Hashable, Sendable {
        /// It takes the rate, and says so.
        case obeys
        /// It says that it has taken the rate, and keeps the one that it has.
        case pretends
        /// It keeps the rate that it has, and says so.
        case refuses
        /// It sends nothing any more.
        case fallsSilent
    }

    package var maker: Maker
    package var manner: Manner

    package init(_ maker: Maker, _ manner: Manner = .obeys) {
        (self.maker, self.manner) = (maker, manner)
    }
}
