import LocationCore
import LocwatchTerminal

extension ClockSample {
    /// The host's time minus the receiver's, in seconds.
    var offset: Double { Double(offsetNanoseconds) / 1e9 }

    /// The name of gpsd's report.
    var name: String { source == .pulse ? "PPS" : "TOFF" }

    /// Returns the unit that suits the offset, and the number of them in a second.
    func unit(_ glyphs: Glyphs) -> (name: String, count: Double) {
        switch offset.magnitude {
        case ..<0.001: ("\(glyphs.micro)s", 1e6)
        case ..<1: ("ms", 1e3)
        default: ("s", 1)
        }
    }
}
