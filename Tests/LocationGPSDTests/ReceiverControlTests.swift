import LocationCore
import LocwatchSupport
import Testing

@testable import LocationGPSD

@Suite struct ReceiverControlTests {
    private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

    /// Returns the commands that requests cause at a gpsd that has greeted.
    private func commands(
        _ requests: [ReceiverControl.Request], to device: String, paths: [String: String] = [:]
    ) throws -> [String] {
        var request = LocationRequest.everything
        let control = ReceiverControl()
        request.control = control
        let conversation = HeldConversation(
            GPSDEndpoint(host: "localhost", port: "2947"), for: request, paths: paths, now: moment(0))
        for request in requests { control.send(request, to: device) }
        #expect(!conversation.isOpen, "before the greeting nothing is sent")
        var updates = ReusedQueue<LocationUpdate>()
        try Array((Self.version + "\n").utf8).withUnsafeBytes {
            try conversation.hear($0, at: moment(1), into: &updates)
        }
        _ = conversation.takeCommands()
        #expect(conversation.isOpen && control.hasRequests, "a request makes the client step")
        try conversation.expire(at: moment(1), into: &updates)
        let text = conversation.takeCommands() ?? ""
        #expect(!control.hasRequests)
        return text.split(separator: "\n").map(String.init)
    }

    /// gpsd sets a cycle only if it is longer than its driver's shortest one, and another one than it has noted.
    @Test func `a cycle is sent as two, a microsecond longer and different from each other`() throws {
        #expect(
            try commands([.setCycle(.milliseconds(25))], to: "/dev/ttyACM0") == [
                #"?DEVICE={"path":"/dev/ttyACM0","cycle":0.025002};"#,
                #"?DEVICE={"path":"/dev/ttyACM0","cycle":0.025001};"#,
            ])
        #expect(try commands([.setCycle(.seconds(10))], to: "/dev/a").last?.hasSuffix(#""cycle":10.000001};"#) == true)
    }

    @Test func `bytes are sent as hexadecimal digits, and the state is asked for`() throws {
        #expect(
            try commands([.write([0xB5, 0x62, 0x06, 0x08, 0, 0, 0x0E, 0x30]), .reportState], to: "/dev/ttyACM0") == [
                #"?DEVICE={"path":"/dev/ttyACM0","hexdata":"b562060800000e30"};"#,
                #"?DEVICE={"path":"/dev/ttyACM0"};"#,
            ])
    }

    @Test func `a device with a name is asked by its path, and quotes are escaped`() throws {
        #expect(
            try commands([.reportState], to: "sim:ublox", paths: ["sim:ublox": "/tmp/x/receiver"])
                == [#"?DEVICE={"path":"/tmp/x/receiver"};"#])
        #expect(try commands([.reportState], to: #"/dev/"};?"#) == [#"?DEVICE={"path":"/dev/\"};?"};"#])
    }

    @Test func `bytes are counted over another connection`() throws {
        #expect(try commands([.countBytes(within: .seconds(3))], to: "/dev/a").isEmpty)
    }
}
