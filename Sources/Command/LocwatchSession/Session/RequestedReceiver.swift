import LocationCore
import LocwatchArguments

/// The receiver that was requested of a recording, and the ones that there are.
///
/// A gpsd refuses a receiver that it does not have, and a live fleet tells which devices there are; a recording must be
/// read to know.
final class RequestedReceiver {
    /// The number of receivers that the error names.
    private static let limit = 8

    private let name: String
    private let pattern: NamePattern
    private var isFound = false
    private var others: [String] = []

    /// Creates the receiver from its name or a pattern.
    init(_ name: String) {
        self.name = name
        pattern = NamePattern(name)
    }

    /// The error for a recording without the receiver, or `nil` if it has it or names none.
    var failure: LocationError? {
        isFound || others.isEmpty ? nil : .deviceUnknown(path: name, known: others)
    }

    /// Processes an event of the session.
    func process(_ update: LocationUpdate) {
        guard !isFound, let device = update.event.device else { return }
        if pattern.matches(device) {
            isFound = true
        } else if others.count < Self.limit, !others.contains(device) {
            others.append(device)
        }
    }
}

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession, .notARawLog, .damaged, .notATrack, .untimedTrack, .programMissing,
            .libraryMissing:
            true
        default: false
        }
    }
}
