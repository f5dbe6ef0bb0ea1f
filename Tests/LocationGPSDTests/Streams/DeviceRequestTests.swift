import GPSDProtocol
import Testing

@testable import LocationGPSD

@Suite struct DeviceRequestTests {
    @Test(arguments: [
        ("OK\n", true), ("ERROR\n", false), ("{\"class\":\"ACK\"}\r\n", true), ("{\"class\":\"ERROR\"}\r\n", false),
        ("", false),
    ])
    func `the control socket of gpsd answers with a word in 3_22 and with an object in later releases`(
        answer: String, isAccepted: Bool
    ) {
        #expect(DeviceRequest.isAccepted(Array(answer.utf8)) == isAccepted)
    }

    @Test(arguments: [("OK\n", false), ("{\"class\":\"ACK\"}\r\n", true)])
    func `a gpsd that answers with an object opens streams in the background`(answer: String, isSo: Bool) {
        #expect(GPSDQuirks.opensInBackground(Array(answer.utf8)) == isSo)
    }
}
