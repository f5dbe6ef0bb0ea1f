import LocationCore
import LocationObservation
import LocationTesting
import Observation
import Testing

@MainActor final class PositionViewModel {
    let model: LocationModel

    init(_ provider: some LocationProvider) {
        model = LocationModel(provider, for: LocationRequest(distanceFilter: 5))
    }

    var title: String {
        if let location = model.location {
            return "\(location.coordinate.latitude), \(location.coordinate.longitude)"
        }
        return model.errorText ?? model.searchText ?? "stopped"
    }

    var isApproximate: Bool { (model.accuracy ?? 0) > 100 }
}

extension PositionViewModel {
    func appear() { model.start() }
    func disappear() { model.stop() }
}

@MainActor func printTitles(of viewModel: PositionViewModel, to write: (String) -> Void) async {
    for await title in Observations({ viewModel.title }) { write(title) }
}

@MainActor struct PositionViewModelTests {
    let clock = ManualClock()

    @Test func `the title shows the search, the position and the error`() async throws {
        let source = ScriptedLocationSource([.searching(.noFix(seen: 4, used: 0, best: nil))], clock: clock)
        let viewModel = PositionViewModel(source)
        viewModel.appear()
        try await eventually("the search") {
            viewModel.title
        } is: {
            $0 == "no fix, 4 satellites seen, 0 used"
        }

        source.forceLocation(52.5163, 13.3777, accuracy: 120)
        try await eventually("the position") {
            viewModel.title
        } is: {
            $0 == "52.5163, 13.3777"
        }
        #expect(viewModel.isApproximate)

        source.forceError(.denied(what: "/dev/ttyACM0", cause: "Permission denied"))
        try await eventually("the error") {
            viewModel.model.errorText
        } is: {
            $0 != nil
        }
        viewModel.disappear()
        try await source.untilRunning(0)
    }

    @Test func `a position that is not renewed is not shown as current`() async throws {
        let source = ScriptedLocationSource([.location(52.5163, 13.3777)], clock: clock)
        let viewModel = PositionViewModel(source)
        viewModel.appear()
        // The session sleeps until the position becomes stale.
        try await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        try await eventually("the silence") {
            viewModel.model.location == nil && viewModel.model.lastLocation != nil
        } is: {
            $0
        }
        viewModel.disappear()
    }
}

@Suite struct WritingAViewModelTests {
    @MainActor @Test func `titles are observed without a view`() async throws {
        let source = ScriptedLocationSource([.location(52.5163, 13.3777)], clock: ManualClock())
        let viewModel = PositionViewModel(source)
        let log = EventLog<String>()
        let printing = Task { await printTitles(of: viewModel) { log.append($0) } }
        viewModel.appear()
        try await log.wait(for: "the position") { $0.last == "52.5163, 13.3777" }
        viewModel.disappear()
        printing.cancel()
    }
}
