import Testing
import TestSupport

/// The rule `rollover` over a real gpsd.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct RolloverTests {
    @Test func `a date that is a rollover too late is suspect, and one that gpsd corrects is not`() throws {
        // The first reports of gpsd can be without a date.
        let late = try Tool(Locwatch.program, ["watch", "--json", "-n", "8", "sim:future"])
        #expect(late.status == 0)
        #expect(late.output.contains(#""to":"suspect","reasons":["rollover"],"message":"its date is 1024 weeks late"#))
        #expect(late.output.split(separator: "\n").count { $0.contains(#""integrity":"suspect""#) } >= 3)
        let early = try Tool(Locwatch.program, ["watch", "--json", "-n", "3", "sim:rollover"])
        #expect(early.status == 0 && !early.output.contains("integrity"))
    }
}
