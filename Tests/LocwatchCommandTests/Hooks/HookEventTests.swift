import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite struct HookEventTests {
    private var event: HookEvent {
        var event = HookEvent(.enter)
        event.fence = "home"
        event.device = "/dev/ttyACM0"
        event.coordinate = Coordinate(latitude: 45.073612, longitude: -7.5)
        event.accuracy = 5.4
        event.time = ScriptedSession.time(1.5)
        return event
    }

    @Test func `the environment has the data of the event`() {
        let variables = event.environment(["PATH": "/bin", "HOME": "/root"], precision: .decimals(7))
        #expect(
            variables == [
                "PATH": "/bin", "HOME": "/root", "LOCWATCH_EVENT": "enter", "LOCWATCH_EVENT_FENCE": "home",
                "LOCWATCH_EVENT_DEVICE": "/dev/ttyACM0", "LOCWATCH_EVENT_LAT": "45.073612",
                "LOCWATCH_EVENT_LON": "-7.5", "LOCWATCH_EVENT_ACCURACY": "5.4",
                "LOCWATCH_EVENT_TIME": "2026-11-20T13:02:11.500Z",
            ])
    }

    @Test func `no variable of locwatch itself reaches a hook`() {
        let inherited = ["LOCWATCH_PASSWORD": "secret", "LOCWATCH_FROM": "old", "LOCWATCH_EVENT_ACCURACY": "20"]
        #expect(HookEvent(.found).environment(inherited, precision: .full) == ["LOCWATCH_EVENT": "found"])
    }

    @Test(arguments: EvilNameTests.names + ["$(reboot)", "; rm -rf /", "`id`", "a=b", "'\"", "-rf"])
    func `a name from outside is one value, without a zero byte`(name: String) throws {
        var event = event
        event.fence = name
        let value = try #require(event.environment([:], precision: .full)["LOCWATCH_EVENT_FENCE"])
        #expect(value == name.unicodeScalars.filter { $0 != "\u{0}" }.reduce(into: "") { $0.unicodeScalars.append($1) })
    }

    @Test func `a long value is cut, so that the program can be started`() {
        var event = event
        event.device = String(repeating: "ä", count: 1_000_000)
        let value = event.environment([:], precision: .full)["LOCWATCH_EVENT_DEVICE"]
        #expect(value == String(repeating: "ä", count: 2048))
    }
}
