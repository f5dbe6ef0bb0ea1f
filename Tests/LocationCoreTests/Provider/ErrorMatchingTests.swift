import LocationCore
import LocationTesting
import Testing

/// Codes as patterns for errors, reasons and notices.
@Suite struct ErrorMatchingTests {
    private static let refused = LocationError.unreachable(host: "pi.local", port: 2947, cause: "refused")

    private func word(_ error: LocationError) -> String {
        switch error {
        case .denied: "denied"
        case .unreachable, .connectionLost: "later"
        default: error.code.rawValue
        }
    }

    @Test func `a code is a pattern for its errors`() {
        #expect(word(.denied(what: "x", cause: "y")) == "denied")
        #expect(word(Self.refused) == "later")
        #expect(word(.streamUnavailable(address: "tcp://x", cause: "y")) == "later")
        #expect(word(LocationError(.denied, message: "by the user")) == "denied")
        #expect(word(.cancelled) == "cancelled")
    }

    @Test func `a code catches its errors`() throws {
        func caught(_ error: LocationError) throws -> Bool {
            do throws(LocationError) { throw error } catch .denied { return true } catch { return false }
        }
        #expect(try caught(.denied(what: "x", cause: "y")))
        #expect(try !caught(.cancelled))
    }

    @Test func `an error has its facts`() {
        #expect(Self.refused.host == "pi.local" && Self.refused.port == 2947 && Self.refused.cause == "refused")
        #expect(LocationError(.unresolvable(host: "pi.local", port: "gpsd", cause: "unknown")).port == nil)
        #expect(LocationError.broker(address: "mqtt.example:1883", cause: "x").host == "mqtt.example:1883")
        #expect(LocationError.damaged(path: "a.json", cause: "torn").path == "a.json")
        let unusable = LocationError.deviceUnusable(path: "/dev/a", cause: .missing)
        #expect(unusable.path == "/dev/a" && unusable.deviceFault == .missing && unusable.cause == nil)
        let shortfall = LocationError.Shortfall.nothingHeard(after: .seconds(3))
        #expect(LocationError.noFix(shortfall).shortfall == shortfall && Self.refused.shortfall == nil)
    }

    @Test func `a code is a pattern within events and states`() {
        let searching = LocationEvent.searching(.noFix(seen: 3, used: nil, best: nil), device: "a")
        guard case .searching(.noFix, "a") = searching else {
            Issue.record("\(searching)")
            return
        }
        let lost = LocationState.searching(.deviceLost(path: "/dev/a"))
        guard case .searching(.deviceLost) = lost, case .searching(let reason) = lost else {
            Issue.record("\(lost)")
            return
        }
        #expect(reason.path == "/dev/a" && reason.satellites == nil && reason.attempt == nil)
        let dropped = LocationEvent.notice(.dropped(locations: 2, skyViews: 3))
        guard case .notice(.dropped) = dropped, case .notice(let notice) = dropped else {
            Issue.record("\(dropped)")
            return
        }
        #expect(notice.count == 5)
        #expect(notice.description == "the output is too slow: dropped 2 positions and 3 sky views")
    }
}
