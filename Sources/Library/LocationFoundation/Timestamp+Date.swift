#if canImport(Foundation)
    public import Foundation
    public import LocationCore

    extension Timestamp {
        /// Creates the timestamp of a date, clamped to the years that a timestamp can represent.
        public init(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
    }

    extension Date {
        /// Creates the date of a timestamp, to about a microsecond.
        public init(_ timestamp: Timestamp) { self.init(timeIntervalSince1970: timestamp.secondsSince1970) }
    }
#endif
