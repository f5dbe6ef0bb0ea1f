/// How much of a position a receiver knows.
public enum FixKind: Int, Hashable, Sendable, Codable, Comparable, CaseIterable {
    /// No fix: the receiver works and does not know where it is.
    case none = 1
    /// Latitude and longitude.
    case twoD = 2
    /// Latitude, longitude and altitude.
    case threeD = 3

    /// Knows less than.
    public static func < (left: FixKind, right: FixKind) -> Bool { left.rawValue < right.rawValue }
}

/// What helped a fix to be what it is; gpsd names it `status`.
public enum FixQuality: Hashable, Sendable, Codable {
    /// An ordinary fix out of satellite signals alone.
    case ordinary
    /// Corrected by a differential station or SBAS.
    case differential
    /// Real-time kinematic with integer ambiguities: centimetres.
    case rtkFixed
    /// Real-time kinematic with float ambiguities: decimetres.
    case rtkFloat
    /// Carried on from the last fix by speed and course, without satellites.
    case deadReckoning
    /// Satellites and dead reckoning together.
    case satellitesAndDeadReckoning
    /// A timing receiver at a surveyed place: the position is the stored one.
    case surveyedTime
    /// Made by a simulator.
    case simulated
    /// From the encrypted military signal.
    case precisionCode
    /// A code of gpsd that this version of the library does not know.
    case other(Int)

    /// The quality that a number in gpsd's `status` stands for.
    public init(gpsdStatus: Int) {
        self =
            switch gpsdStatus {
            case 0, 1: .ordinary
            case 2: .differential
            case 3: .rtkFixed
            case 4: .rtkFloat
            case 5: .deadReckoning
            case 6: .satellitesAndDeadReckoning
            case 7: .surveyedTime
            case 8: .simulated
            case 9: .precisionCode
            default: .other(gpsdStatus)
            }
    }

    /// The number that gpsd uses for this quality.
    public var gpsdStatus: Int {
        switch self {
        case .ordinary: 1
        case .differential: 2
        case .rtkFixed: 3
        case .rtkFloat: 4
        case .deadReckoning: 5
        case .satellitesAndDeadReckoning: 6
        case .surveyedTime: 7
        case .simulated: 8
        case .precisionCode: 9
        case .other(let status): status
        }
    }
}
