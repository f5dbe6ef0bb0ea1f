/// The answers of a session to whether positions may be read that no event of its own reports.
package struct AuthorizationAnswers: Sendable {
    private var isKnown = false
    private var isDenied = false

    /// Creates the answers of a session that has given none.
    package init() {}

    /// Returns the answer that an event implies, if it is a new one.
    ///
    /// A position implies one if the provider has given none, or none but a failure. A denial that is reported as a failure follows
    /// an event with the same answer in a live source.
    package mutating func answer(by event: LocationEvent) -> AuthorizationStatus? {
        switch event {
        case .authorization(let status):
            (isKnown, isDenied) = (true, status == .denied)
            return nil
        case .location where !isKnown:
            (isKnown, isDenied) = (true, false)
            return .authorized
        case .failure(.denied, _) where !isDenied:
            (isKnown, isDenied) = (false, true)
            return .denied
        default: return nil
        }
    }
}
