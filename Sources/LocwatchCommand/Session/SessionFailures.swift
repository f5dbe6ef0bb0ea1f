import LocationCore

/// What has gone wrong in a session: each failure is news once, and not at every attempt that ends in it again.
struct SessionFailures {
    /// What went wrong last, where nothing has been heard since.
    private(set) var current: LocationError?
    /// Whether anything was ever heard of a gpsd.
    private(set) var hasHeard = false
    private var advised: Set<String> = []

    /// Takes note of an event; answers with a failure that is another one than the last.
    mutating func news(in event: LocationEvent) -> LocationError? {
        if case .failure(let error, _) = event {
            defer { current = error }
            return error == current ? nil : error
        }
        if event.comesFromGPSD {
            hasHeard = true
            if current != nil { current = nil }
        }
        return nil
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
