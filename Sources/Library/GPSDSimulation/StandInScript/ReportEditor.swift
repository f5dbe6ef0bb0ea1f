import LocationCore

/// Changes the reports of a session as a test asks: without a fix, at another place, or in parts.
struct ReportEditor {
    /// Whether the receiver has no fix.
    var isLost = false
    /// Whether an epoch is reported in two parts.
    var isPartial = false
    /// The position of the session that is reported as `target`; the distances from it stay.
    private var anchor: Coordinate?
    private var target: Coordinate?
    /// A distance to the east that the next position adds.
    private var pendingJump = 0.0
    /// The last position of the session.
    private var last: Coordinate?

    /// Whether reports are changed, so that recorded sentences would contradict them.
    var isActive: Bool { isLost || target != nil || pendingJump != 0 }

    private static let lostKeys: Set = ["class", "device", "tag", "time", "ept", "leapseconds", "mode"]
    private static let partialKeys = lostKeys.union(["lat", "lon"])
    private static let dilutions = ["xdop", "ydop", "vdop", "tdop", "hdop", "gdop", "pdop"]
    private static let ecef = ["ecefx", "ecefy", "ecefz", "ecefvx", "ecefvy", "ecefvz", "ecefpAcc", "ecefvAcc"]

    /// Makes the current position appear at another place.
    mutating func move(to place: Coordinate) {
        anchor = last
        target = place
        pendingJump = 0
    }

    /// Makes the current position appear further east.
    mutating func jump(metres: Double) {
        pendingJump += metres
        if let last { settle(last) }
    }

    /// Returns the lines that are sent instead of a line of the session.
    mutating func edited(_ line: StandInRecording.Line, _ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        switch line.polled {
        case .tpv: return position(bytes)
        case .sky where isLost: return [sky(bytes)]
        case .gst where isLost: return []
        case .sky, .gst: return [bytes]
        case nil: return isActive && line.isNMEA ? [] : [bytes]
        }
    }

    private mutating func position(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        guard var members = ReportMembers(bytes) else { return [bytes] }
        if let latitude = members.number("lat"), let longitude = members.number("lon"),
            let place = Coordinate(checking: latitude, longitude)
        {
            settle(place)
            if let anchor, let target {
                let shown = target.moved(by: anchor.offset(to: place))
                for (key, degrees) in [("lat", shown.latitude), ("lon", shown.longitude)] {
                    members.set(key, to: TextBuffer.text { $0.put(fixed: degrees, decimals: 9) })
                }
                for key in Self.ecef { members[key] = nil }
            }
        }
        if isLost {
            members.keep(Self.lostKeys)
            members.set("mode", to: "1")
        }
        let whole = isLost || target != nil ? members.text : bytes
        guard isPartial, members["lat"] != nil else { return [whole] }
        members.keep(Self.partialKeys)
        members.set("mode", to: "2")
        return [members.text, whole]
    }

    /// Notes a position of the session, from which a move and a jump that wait for one begin.
    private mutating func settle(_ place: Coordinate) {
        last = place
        if target != nil, anchor == nil { anchor = place }
        guard pendingJump != 0 else { return }
        target = (target ?? place).moved(by: GroundOffset(east: pendingJump, north: 0))
        anchor = anchor ?? place
        pendingJump = 0
    }

    private func sky(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard var members = ReportMembers(bytes) else { return bytes }
        for key in Self.dilutions { members[key] = nil }
        if members["uSat"] != nil { members.set("uSat", to: "0") }
        members.edit("satellites") { satellite in
            guard var members = ReportMembers(satellite), members["used"] != nil else { return satellite }
            members.set("used", to: "false")
            return members.text
        }
        return members.text
    }
}
