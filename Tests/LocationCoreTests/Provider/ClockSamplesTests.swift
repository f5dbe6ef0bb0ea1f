import LocationCore
import LocationTesting
import Testing

struct ClockSamplesTests {
    private func sample(_ offset: Int64) -> ClockSample {
        ClockSample(
            .pulse, device: "/dev/ttyS0", receiverTime: Timestamp(nanosecondsSince1970: 0),
            hostTime: Timestamp(nanosecondsSince1970: offset))
    }

    @Test func `the comparisons of a session are asked for`() async throws {
        let source = ScriptedLocationSource([
            .location(45, 7), .clock(sample(3)), .location(45, 7), .clock(sample(-4)), .end,
        ])
        var offsets: [Duration] = []
        for try await update in source.updates(for: LocationRequest(includesClock: true)) {
            if case .clock(let sample) = update.event { offsets.append(sample.offset) }
        }
        #expect(offsets == [.nanoseconds(3), .nanoseconds(-4)])
        #expect(source.calls.contains { "\($0)".contains("with clock") })
    }

    @Test func `an offset that does not fit is clamped`() {
        let extremes = (Timestamp(nanosecondsSince1970: .min), Timestamp(nanosecondsSince1970: .max))
        #expect(ClockSample(.pulse, receiverTime: extremes.0, hostTime: extremes.1).offsetNanoseconds == .max)
        #expect(ClockSample(.pulse, receiverTime: extremes.1, hostTime: extremes.0).offsetNanoseconds == .min)
    }
}
