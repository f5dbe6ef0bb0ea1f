import LocationCore
import Testing

@testable import LocationGPSD

@Suite struct PrivateGPSDSettingsTests {
    @Test func `a gpsd that may write has the time to ask a receiver about its kind`() {
        var settings = PrivateGPSD.Settings()
        #expect(settings.limit == .seconds(10))
        settings.corrections = CorrectionsSource(pipe: "/tmp/pipe")
        #expect(!settings.isReadOnly && settings.limit == .seconds(30))
        settings.limit = .seconds(40)
        settings.isReadOnly = false
        #expect(settings.limit == .seconds(40))
    }
}
