import LocationCore
import GPSDProtocol

/// A value that libgps reads wrongly or differently, while the project's decoder is right.
enum KnownDifference: String, CaseIterable {
    case swappedAccuracies = "libgps 3.22 swaps ecefpAcc and ecefvAcc"
    case velocityAsRelativePosition = "libgps 3.22 puts velN, velE and velD into relN, relE and relD"
    case countedList = "libgps 3.22 counts the satellites of the list, and reads neither nSat nor uSat"

    /// Creates the explanation of a difference in this report, if any.
    init?(_ difference: Difference, in report: GPSDReport) {
        switch (report, difference.field) {
        case (.tpv(let tpv), "ecefpAcc") where difference.theirs == "\(tpv["ecefvAcc"] as Double?)",
            (.tpv(let tpv), "ecefvAcc") where difference.theirs == "\(tpv["ecefpAcc"] as Double?)":
            self = .swappedAccuracies
        case (.tpv, "velN") where difference.theirs == "\(0.0 as Double?)",
            (.tpv, "velE") where difference.theirs == "\(0.0 as Double?)",
            (.tpv, "velD") where difference.theirs == "\(0.0 as Double?)":
            self = .velocityAsRelativePosition
        case (.tpv(let tpv), "relN") where difference.theirs == "\(tpv["velN"] as Double?)",
            (.tpv(let tpv), "relE") where difference.theirs == "\(tpv["velE"] as Double?)",
            (.tpv(let tpv), "relD") where difference.theirs == "\(tpv["velD"] as Double?)":
            self = .velocityAsRelativePosition
        case (.sky(let sky), "nSat") where difference.theirs == "\(sky.satellites?.count ?? 0)",
            (.sky(let sky), "uSat") where difference.theirs == "\(sky.satellites?.count(where: \.isUsed) ?? 0)":
            self = .countedList
        default: return nil
        }
    }
}
