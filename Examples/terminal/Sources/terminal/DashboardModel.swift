import LocationCore
import LocationObservation

/// The text of the dashboard, which changes with the position and the state.
@MainActor final class DashboardModel {
    private let model: LocationCoordinator

    init(_ provider: some LocationProvider) {
        model = LocationCoordinator(provider)
    }

    /// Starts to follow the position.
    func start() { model.start() }

    /// Stops to follow the position.
    func stop() { model.stop() }

    /// The lines of the dashboard.
    var lines: [String] { [status, position] + (accuracy.map { ["± \($0) m"] } ?? []) }

    private var status: String {
        if let error = model.errorText { return "Error: \(error)" }
        if let search = model.searchText { return "Searching: \(search)" }
        return model.isRunning ? "Position found" : "Stopped"
    }

    private var position: String {
        guard let location = model.lastLocation else { return "No position yet" }
        let text = "\(location.coordinate.latitude), \(location.coordinate.longitude)"
        return model.location == nil ? "Last position: \(text)" : text
    }

    private var accuracy: Int? { model.accuracy.flatMap { Int(exactly: $0.rounded(.up)) } }
}
