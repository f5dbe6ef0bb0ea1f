extension LocationError: CustomStringConvertible {
    /// A sentence without a full stop that says what happened, in English.
    ///
    /// Control characters and other hidden characters that come from outside are shown as visible text.
    public var description: String {
        switch self {
        case .unreachable(let host, let port, let cause):
            "no gpsd at \(Self.place(host, port)): \(VisibleText.of(cause))"
        case .streamUnavailable(let address, let cause):
            "cannot open the stream \(VisibleText.of(address)): \(VisibleText.of(cause))"
        case .unresolvable(let host, let port, let cause):
            "cannot resolve \(Self.place(host, port)): \(VisibleText.of(cause))"
        case .notGPSD(let host, let port, let answer):
            "the server at \(Self.place(host, port)) is not a gpsd"
                + (answer.isEmpty ? ": it sends nothing" : ": it sends \"\(VisibleText.of(answer))\"")
        case .connectionLost(let host, let port, let cause):
            "lost the connection to \(Self.place(host, port)): \(VisibleText.of(cause))"
        case .denied(let what, let cause): "not permitted: \(VisibleText.of(what)): \(VisibleText.of(cause))"
        case .daemon(let message): "gpsd reports: \(VisibleText.of(message))"
        case .deviceUnknown(let path, let known):
            "there is no receiver \(VisibleText.of(path))"
                + (known.isEmpty ? "" : ", but \(known.map(VisibleText.of).joined(separator: ", "))")
        case .deviceUnusable(let path, let fault): "\(VisibleText.of(path)) \(fault.predicate)"
        case .broker(let address, let cause): "the broker at \(VisibleText.of(address)): \(VisibleText.of(cause))"
        case .daemonUnavailable(let cause): "cannot start a private gpsd: \(VisibleText.of(cause))"
        case .unreadable(let path, let cause): "cannot read \(VisibleText.of(path)): \(VisibleText.of(cause))"
        case .notASession(let path, let line, let cause):
            "\(VisibleText.of(path)) is not a gpsd recording: " + (line > 0 ? "line \(line): " : "")
                + VisibleText.of(cause)
        case .damaged(let path, let cause): "\(VisibleText.of(path)) is torn or damaged: \(VisibleText.of(cause))"
        case .notATrack(let path, let line, let cause):
            "cannot read the track \(VisibleText.of(path)): " + (line > 0 ? "line \(line): " : "")
                + VisibleText.of(cause)
        case .untimedTrack(let path, let points):
            "cannot read the track \(VisibleText.of(path)): "
                + (points == 1 ? "its only point has no valid time" : "none of its \(points) points has a valid time")
        case .rawLog(let path):
            "\(VisibleText.of(path)) is the raw log of a receiver, which RawLogSource of LocationGPSD plays"
        case .notARawLog(let path):
            "\(VisibleText.of(path)) is a gpsd recording, not a receiver's log; leave out \"raw:\""
        case .unwritable(let path, let cause): "cannot write \(VisibleText.of(path)): \(VisibleText.of(cause))"
        case .programMissing(let name, let package): "\(name) is not installed: install the package \(package)"
        case .libraryMissing(let name, let package, let path):
            "cannot read the track \(VisibleText.of(path)): it needs \(name), which is in the package \(package)"
        case .script(let cause), .system(let cause): VisibleText.of(cause)
        case .noFix(let shortfall): shortfall.description
        case .cancelled: "the request was cancelled"
        case .locationUnknown: "the position is unknown at present"
        case .other(_, let message): VisibleText.of(message)
        }
    }

    private static func place(_ host: String, _ port: String) -> String {
        // A private gpsd has no port.
        AddressAuthority.text(VisibleText.of(host), port.isEmpty ? nil : VisibleText.of(port))
    }
}

extension LocationError.DeviceFault {
    /// The fault as a predicate for the name of the device.
    fileprivate var predicate: String {
        switch self {
        case .missing: "does not exist"
        case .notPermitted: "cannot be opened: permission denied"
        case .busy(let holder): "is in use" + (holder.map { " by \(VisibleText.of($0))" } ?? "")
        case .notASerialDevice: "is not a serial device"
        case .system(let cause): "cannot be used: \(VisibleText.of(cause))"
        }
    }
}

extension LocationError.Shortfall: CustomStringConvertible {
    /// A sentence without a full stop that says what was missing, in English.
    public var description: String {
        switch self {
        case .nothingHeard(after: .zero): "no report of a receiver"
        case .nothingHeard(let time): "no report of a receiver within \(time.shortSeconds) s"
        case .noPosition(let time, let reason): "no position within \(time.shortSeconds) s: \(reason)"
        case .tooCoarse(let best, let wanted):
            "no position accurate to \(wanted.short) m"
                + (best.horizontalAccuracy.map { "; the best is accurate to \($0.short) m" }
                    ?? "; the accuracy is unknown")
        case .tooFlat(_, let wanted): "no \(wanted == .threeD ? "3D" : "2D") fix"
        case .tooOld(let best, let wanted):
            "no position younger than \(wanted.shortSeconds) s"
                + (best.ageWhenReceived.map { "; the newest is \($0.shortSeconds) s old" } ?? "; the age is unknown")
        case .moved(let time, let distance):
            "the receiver stood still for \(time.shortSeconds) s, and then moved by \(distance.rounded().short) m"
        case .interrupted(let time, let silence):
            "the receiver stood still for \(time.shortSeconds) s, and then gave no position for \(silence.shortSeconds) s"
        case .tooBrief(let longest, let wanted):
            "no standstill of \(wanted.shortSeconds) s"
                + (longest > .zero
                    ? "; the longest was \(longest.shortSeconds) s" : "; the receiver did not stand still for a minute")
        case .notRecorded(let time, let before, let after):
            "no position at \(time): "
                + Self.nearest(
                    before.map { "\($0), \(time.since($0).shortSeconds) s before" },
                    after.map { "\($0), \($0.since(time).shortSeconds) s after" })
        }
    }
}

extension LocationError.Shortfall {
    /// Returns which positions are nearest to a time, given those before and after it in words.
    package static func nearest(_ before: String?, _ after: String?) -> String {
        switch (before, after) {
        case (let before?, let after?): "the nearest are at \(before), and \(after)"
        case (let before?, nil): "the last one is at \(before)"
        case (nil, let after?): "the first one is at \(after)"
        case (nil, nil): "there is none with a time"
        }
    }
}

extension SearchReason: CustomStringConvertible {
    /// A phrase that says why there is no current position, in English.
    public var description: String {
        switch self {
        case .starting: "starting"
        case .connecting(let attempt): attempt > 1 ? "connecting, attempt \(attempt)" : "connecting"
        case .unanswered: "connected, but the server sends nothing, and is perhaps not a gpsd"
        case .connected(let release): "connected" + (release.map { " to gpsd \(VisibleText.of($0))" } ?? "")
        case .noDevice: "gpsd has no receiver"
        case .noFix(let seen, let used, let best):
            "no fix"
                + (seen.map { ", \($0.counting("satellite")) seen" } ?? "")
                + (used.map { ", \($0) used" } ?? "") + (best.map { ", best signal \($0.short) dB-Hz" } ?? "")
        case .deviceLost(let path): "the receiver \(VisibleText.of(path)) is gone"
        case .deviceUnopenable(let path): "the receiver \(VisibleText.of(path)) cannot be opened"
        case .deviceSilent(let path): "the receiver \(VisibleText.of(path)) sends nothing"
        case .unsuitable: "no position is as accurate and recent as requested"
        case .deviceBabbling(let path): "the receiver \(VisibleText.of(path)) sends data that gpsd does not recognize"
        case .silent(let duration): "no report for \(duration.shortSeconds) s"
        }
    }
}

extension Duration {
    /// The duration in seconds, rounded to milliseconds.
    fileprivate var shortSeconds: String { inSeconds.short }
}

extension Double {
    /// The number with at most three decimals, and none if it is whole.
    fileprivate var short: String {
        let rounded = (self * 1000).rounded() / 1000
        return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }
}
