import Testing

@testable import LocationGPSD

@Suite struct DeviceRemovalTests {
    private static let pipe = #"{"class":"DEVICE","path":"/tmp/a/rtcm","bps":9600}"#
    private static let other = #"{"class":"DEVICE","path":"/tmp/a/rtcm2","bps":9600}"#

    @Test(
        arguments: [
            (#"{"class":"DEVICES","devices":[\#(other),\#(pipe)]}"#, #"{"class":"DEVICES","devices":[\#(other)]}"#),
            (#"{"class":"DEVICES","devices":[\#(pipe),\#(other)]}"#, #"{"class":"DEVICES","devices":[\#(other)]}"#),
            (#"{"class":"DEVICES","devices":[\#(pipe)]}"#, #"{"class":"DEVICES","devices":[]}"#), (pipe, nil),
            (other, other), (#"{"class":"TPV","mode":1}"#, #"{"class":"TPV","mode":1}"#), ("", ""),
            (#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/tmp/a/rtcm""#, ""),
        ] as [(String, String?)])
    func `a device is removed from the lines that list it`(line: String, rest: String?) {
        let removal = DeviceRemoval(of: "/tmp/a/rtcm")
        let result = removal.apply(to: Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) }
        // A line that is cut stays as it is.
        #expect(result == (rest == "" ? line : rest))
    }
}
