import LocationCore
import LocwatchSupport

/// The thinning of each receiver's views of the satellites by `--interval`.
struct SkyThinning {
    private let interval: Duration?
    private var grids = PerDevice<IntervalGrid>()

    init(_ interval: Duration?) { self.interval = interval }

    mutating func admits(_ sky: SkyView, at moment: Moment) -> Bool {
        guard let interval else { return true }
        let place = grids.place(of: sky.device, default: IntervalGrid(interval))
        let time = IntervalGrid.Time(sky.timestamp, arrival: moment.elapsed)
        grids[place: place].note(time)
        guard grids[place: place].admits(time) else { return false }
        grids[place: place].pass(time)
        return true
    }
}
