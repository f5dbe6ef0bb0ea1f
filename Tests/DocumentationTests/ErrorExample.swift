import LocationCore
import LocationTesting
import Testing

struct Finder {
    let source: any LocationProvider
    let log = EventLog<String>()

    func position() async -> Location? {
        do throws(LocationError) {
            return try await source.current()
        } catch {
            switch error {
            case .denied: askForPermission()
            case .unreachable, .connectionLost: retryLater()
            default: show(error.description)
            }
        }
        return nil
    }

    private func askForPermission() { log.append("asks") }
    private func retryLater() { log.append("retries") }
    private func show(_ text: String) { log.append(text) }
}

struct FinderTests {
    @Test(arguments: [
        (LocationError.denied(what: "gpsd", cause: "no"), "asks"),
        (.connectionLost(host: "pi.local", port: 2947, cause: "reset"), "retries"),
        (.cancelled, "the request was cancelled"),
    ])
    func `each error has its reaction`(error: LocationError, reaction: String) async {
        let finder = Finder(source: ScriptedLocationSource([.endThrowing(error)]))
        #expect(await finder.position() == nil)
        #expect(finder.log.events == [reaction])
    }
}
