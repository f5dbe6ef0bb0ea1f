import LocationCore

/// What has gone wrong in a session: each failure is news once, and not at every attempt that ends in it again.
struct SessionFailures {
    /// What went wrong last, where nothing has been heard since.
    private(set) var current: LocationError?
    /// Whether anything was ever heard of a gpsd.
    private(set) var hasHeard = false
    private var advised: Set<String> = []
    /// How often what went wrong last has done so without a message.
    private var repetitions = 0
    /// The count of repetitions that is over and has no message yet.
    private var finished: (error: LocationError, count: Int)?

    /// Takes note of an event; answers with a failure that is another one than the last.
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

    /// Returns how often a failure came that is over, or that lasts at the end of the session, if it came more than once.
    mutating func takeCount(isOver: Bool = false) -> String? {
        if isOver { finish() }
        guard let (error, count) = finished else { return nil }
        finished = nil
        return "\(ErrorText(error).message): failed \(count) times"
    }

    /// What to do about a failure, the first time that it is to be said.
    mutating func advice(on error: LocationError) -> String? {
        ErrorText(error).advice.flatMap { advised.insert($0).inserted ? $0 : nil }
    }
}

extension LocationEvent {
    /// Whether there must be a gpsd for it to happen, and not only somebody who tries to reach one.
    fileprivate var comesFromGPSD: Bool {
        switch self {
        case .location, .satellites, .receiver, .device: true
        case .searching(.starting, _), .searching(.connecting, _): false
        case .searching: true
        case .failure, .authorization, .line, .notice: false
        }
    }
}
