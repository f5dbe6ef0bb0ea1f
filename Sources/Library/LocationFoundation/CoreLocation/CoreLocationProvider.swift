// This file was never built: the project is built on Linux only, where CoreLocation does not exist.
#if canImport(CoreLocation)
    public import CoreLocation
    import Foundation
    public import LocationCore

    /// A provider of the positions of Apple's CoreLocation, as `CLLocationUpdate.liveUpdates` gives them.
    ///
    /// ```swift
    /// for try await location in CoreLocationProvider(.fitness).locations() { show(location) }
    /// ```
    ///
    /// The program asks for the authorization as CoreLocation demands, with a usage description and, where needed, a `CLServiceSession`. An
    /// authorization that is denied is an event, and a failure.
    public struct CoreLocationProvider: LocationProvider {
        private let configuration: CLLocationUpdate.LiveConfiguration

        /// Creates a provider.
        public init(_ configuration: CLLocationUpdate.LiveConfiguration = .default) {
            self.configuration = configuration
        }

        /// Returns the updates of one session; its iteration starts the updates of CoreLocation, and its end stops them.
        public func updates(for request: LocationRequest) -> LocationUpdates {
            LocationUpdates(for: request) { [configuration] in
                let mailbox = LocationMailbox(clock: .system())
                let task = Task {
                    do {
                        for try await update in CLLocationUpdate.liveUpdates(configuration) {
                            for event in update.events { mailbox.put(event) }
                        }
                        mailbox.finish()
                    } catch {
                        mailbox.finish(throwing: .other(code: "coreLocation", message: error.localizedDescription))
                    }
                }
                mailbox.onStop { task.cancel() }
                return mailbox
            }
        }
    }

    extension CLLocationUpdate {
        /// The events that the update is for a session.
        fileprivate var events: [LocationEvent] {
            if authorizationDenied || authorizationDeniedGlobally || authorizationRestricted {
                let cause = authorizationRestricted ? "it is restricted on this device" : "the user denies it"
                return [.authorization(.denied), .failure(.denied(what: "CoreLocation", cause: cause))]
            }
            if authorizationRequestInProgress { return [.authorization(.notDetermined)] }
            if let location = location.flatMap({ Location($0) }) { return [.location(location)] }
            if locationUnavailable { return [.searching(.noFix(seen: nil, used: nil, best: nil))] }
            return []
        }
    }
#endif
