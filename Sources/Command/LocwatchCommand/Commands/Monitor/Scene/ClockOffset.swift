import LocationCore
import LocwatchTerminal

/// The host's clock compared with the receiver's time.
struct ClockOffset: Hashable, Sendable {
    var source: ClockSample.Source
    /// The host's time minus the receiver's, in seconds.
    var seconds: Double

    init(_ sample: ClockSample) {
        source = sample.source
        seconds = Double(sample.offsetNanoseconds) / 1e9
    }

    /// The name of gpsd's report.
    var name: String { source == .pulse ? "PPS" : "TOFF" }

    /// Returns the unit that suits the offset, and the number of them in a second.
    func unit(_ glyphs: Glyphs) -> (name: String, count: Double) {
        switch seconds.magnitude {
        case ..<0.001: ("\(glyphs.micro)s", 1e6)
        case ..<1: ("ms", 1e3)
        default: ("s", 1)
        }
    }
}
