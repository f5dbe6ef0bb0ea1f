#if canImport(Foundation)
    public import Foundation
    public import LocationCore

    extension LocationError: LocalizedError {
        /// The description of the error, which `localizedDescription` and alerts show.
        public var errorDescription: String? { description }
    }
#endif
