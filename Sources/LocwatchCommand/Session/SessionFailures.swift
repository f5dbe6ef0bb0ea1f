import LocationCore

/// The failures of a session, each of which is reported once and not at every repeated attempt.
struct SessionFailures {
    /// The last failure, if nothing has arrived since.
    private(set) var current: LocationError?
    /// Whether anything has ever arrived from a gpsd.
    private(set) var hasHeard = false
    private var advised: Set<String> = []
    /// The number of repetitions of the current failure without a message.
    private var repetitions = 0
    /// The number of repetitions of an earlier failure, if it has not been reported yet.
    private var finished: (error: LocationError, count: Int)?

    /// Processes an event; returns a failure that differs from the last one.
    mutating func news(in event: LocationEvent) -> LocationError? {
        if case .failure(let error, _) = event {
            guard error != current else {
                repetitions += 1
                return nil
            }
            finish()
            current = error
            return error
        }
        if event.comesFromGPSD {
            hasHeard = true
            if current != nil {
                finish()
                current = nil
            }
        }
        return nil
    }

    private mutating func finish() {
        if let current, repetitions > 0 { finished = (current, repetitions + 1) }
        repetitions = 0
    }

    /// Returns a message with the count of a repeated failure that has ended, or that lasts at the end of the session.
    mutating func takeCount(isOver: Bool = false) -> String? {
        if isOver { finish() }
        guard let (error, count) = finished else { return nil }
        finished = nil
        return "\(ErrorText(error).message): failed \(count) times"
    }

    /// Returns the advice for a failure, if it was not given before.
    mutating func advice(on error: LocationError) -> String? {
        ErrorText(error).advice.flatMap { advised.insert($0).inserted ? $0 : nil }
    }
}

extension LocationEvent {
    /// Whether the event can only come from a gpsd, and not from an attempt to reach one.
    fileprivate var comesFromGPSD: Bool {
        switch self {
        case .location, .satellites, .receiver, .clock, .device: true
        case .searching(.starting, _), .searching(.connecting, _): false
        case .searching: true
        case .failure, .authorization, .line, .notice: false
        }
    }
}
