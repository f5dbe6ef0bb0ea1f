import Foundation
import LocationCore
import LocationFoundation
import LocationObservation
import Observation

/// A trip that is followed until the machine stands still, or is not found, for too long.
@MainActor @Observable final class Trip {
    /// The reasons for the end of a trip.
    enum Ending: Equatable {
        case stoodStill
        case lost
        case failed(String)
    }

    /// The time for which the machine must stand still.
    static let standstill = Duration.seconds(180)
    /// The time for which the machine may not be found.
    static let patience = Duration.seconds(600)

    private(set) var isRunning = false
    private(set) var ending: Ending?
    /// The length of the trip in metres.
    private(set) var length = 0.0
    /// The time of the last position.
    private(set) var lastDate: Date?

    private let provider: any LocationProvider
    private let clock: any Clock<Duration>
    private var following: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var last: Coordinate?

    init(_ provider: some LocationProvider, clock: any Clock<Duration> = ContinuousClock()) {
        self.provider = provider
        self.clock = clock
    }

    func start() {
        guard !isRunning else { return }
        (isRunning, ending, length, last) = (true, nil, 0, nil)
        end(as: .lost, after: Self.patience)
        following = Task { [weak self, provider] in
            do throws(LocationError) {
                for try await update in provider.tracked() { self?.process(update) }
            } catch {
                self?.finish(.failed(error.localizedDescription))
            }
        }
    }

    private func process(_ update: TrackedUpdate) {
        switch update {
        case .transition(let change) where change.to.location == nil: end(as: .lost, after: Self.patience)
        case .update(let update, .current): if let location = update.location { move(to: location) }
        default: break
        }
    }

    private func move(to location: Location) {
        lastDate = location.timestamp.map { Date($0) }
        let distance = last.map { $0.distance(to: location.coordinate) }
        // A receiver that stands still is not exactly where it was.
        if let distance, distance < 20 { return }
        length += distance ?? 0
        last = location.coordinate
        end(as: .stoodStill, after: Self.standstill)
    }

    /// Ends the trip after a time, unless it is called again before.
    private func end(as ending: Ending, after time: Duration) {
        waiting?.cancel()
        waiting = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: time)) != nil else { return }
            self?.finish(ending)
        }
    }

    private func finish(_ ending: Ending) {
        guard isRunning else { return }
        (isRunning, self.ending) = (false, ending)
        following?.cancel()
        waiting?.cancel()
    }
}
