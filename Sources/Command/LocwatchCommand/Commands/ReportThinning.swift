import LocationCore
import LocwatchSupport

/// The thinning of each receiver's reports of one kind, such as its views of the satellites, by `--interval`.
struct ReportThinning {
    private let interval: Duration?
    private var grids = PerDevice<IntervalGrid>()

    init(_ interval: Duration?) { self.interval = interval }

    mutating func admits(_ device: String?, _ timestamp: Timestamp?, at moment: Moment) -> Bool {
        guard let interval else { return true }
        let place = grids.place(of: device, default: IntervalGrid(interval))
        let time = IntervalGrid.Time(timestamp, arrival: moment.elapsed)
        grids[place: place].note(time)
        guard grids[place: place].admits(time) else { return false }
        grids[place: place].pass(time)
        return true
    }
}
