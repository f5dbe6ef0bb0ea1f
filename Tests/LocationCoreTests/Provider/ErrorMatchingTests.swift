import LocationCore
import LocationTesting
import Testing

/// Cases as patterns for errors, reasons and notices.
@Suite struct ErrorMatchingTests {
    private static let refused = LocationError.unreachable(host: "pi.local", port: 2947, cause: "refused")

    private func word(_ error: LocationError) -> String {
        switch error {
        case .denied: "denied"
        case .unreachable, .connectionLost: "later"
        default: error.code
        }
    }

    @Test func `a case is a pattern for its errors`() {
        #expect(word(.denied(what: "x", cause: "y")) == "denied")
        #expect(word(Self.refused) == "later")
        #expect(word(.cancelled) == "cancelled")
        #expect(word(.other(code: "solarFlare", message: "X9")) == "solarFlare")
    }

    @Test func `a case catches its errors`() throws {
        func caught(_ error: LocationError) throws -> Bool {
            do throws(LocationError) { throw error } catch .denied { return true } catch { return false }
        }
        #expect(try caught(.denied(what: "x", cause: "y")))
        #expect(try !caught(.cancelled))
    }

    @Test func `a case is a pattern within events and states`() {
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
        #expect(reason.path == "/dev/a" && reason.satellites == nil)
        let dropped = LocationEvent.notice(.dropped(locations: 2, skyViews: 3))
        guard case .dropped = dropped.notice, case .notice(let notice) = dropped else {
            Issue.record("\(dropped)")
            return
        }
        #expect(notice.description == "the output is too slow: dropped 2 positions and 3 sky views")
    }
}
