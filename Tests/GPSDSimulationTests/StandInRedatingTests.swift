import GPSDSimulation
import LocationCore
import TestSupport
import Testing

/// Tests with recordings of 2026-03-01T08:00:00Z that are played at 2027-01-15T08:00:00.123Z.
struct StandInRedatingTests {
    private func played(_ reports: [String], watch: String = #"{"enable":true,"json":true,"pps":true}"#) throws
        -> [String]
    {
        let standIn = try byHand(reports) { $0.redates = true }
        let client = try SocketClient.watching(standIn.port, "?WATCH=\(watch);")
        standIn.sendRest()
        return client.lines(reports.count)
    }

    @Test(arguments: ["?DEVICES;", #"?WATCH={"enable":true,"json":true};"#, "?WATCH;", "?DEVICE;"])
    func `the first answer already shows redated devices`(request: String) throws {
        let standIn = try byHand(RecordedText.positions(1)) { $0.redates = true }
        let client = try SocketClient.greeted(standIn.port)
        client.send(request)
        #expect(client.line()?.contains(#""activated":"2027-01-15T08:00:00.373Z""#) == true)
    }

    @Test func `all times of a session are shifted by the same duration, and keep their digits`() throws {
        let lines = try played([
            RecordedText.position(0),
            #"{"class":"SKY","device":"/dev/ttyUSB0","time":"2026-03-01T08:00:01.000Z","text":"\"time\":\"2026-03-01T08:00:00.000Z"}"#,
            #"{"class":"GST","device":"/dev/ttyUSB0","time":"2026-03-01T08:00:01.000Z","rms":1.0}"#,
            #"{"class":"ATT","device":"/dev/ttyUSB0","time":"2026-03-01T08:00:02.5Z","heading":1.0}"#,
            #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2026-03-01T08:00:02.250Z","driver":"u-blox"}"#,
            #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#,
        ])
        #expect(
            lines.dropFirst() == [
                #"{"class":"SKY","device":"/dev/ttyUSB0","time":"2027-01-15T08:00:01.123Z","text":"\"time\":\"2026-03-01T08:00:00.000Z"}"#,
                #"{"class":"GST","device":"/dev/ttyUSB0","time":"2027-01-15T08:00:01.123Z","rms":1.0}"#,
                #"{"class":"ATT","device":"/dev/ttyUSB0","time":"2027-01-15T08:00:02.6Z","heading":1.0}"#,
                #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2027-01-15T08:00:02.373Z","driver":"u-blox"}"#,
                #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#,
            ])
    }

    @Test func `times in seconds and nanoseconds are shifted too`() throws {
        // 1,772,352,000 s after 1970 is 2026-03-01T08:00:00Z, and 1,800,000,000 s is 2027-01-15T08:00:00Z.
        let lines = try played([
            RecordedText.position(0),
            #"{"class":"TOFF","device":"/dev/ttyUSB0","real_sec":1772352001,"real_nsec":0,"clock_sec":1772352001,"clock_nsec":900000001}"#,
            #"{"class":"PPS","device":"/dev/ttyUSB0","real_nsec":5,"real_sec":1772352002,"clock_sec":1772352002,"clock_nsec":1,"precision":-20}"#,
            #"{"class":"RAW","device":"/dev/ttyUSB0","time":1772352003,"nsec":999000000,"rawdata":[]}"#,
            #"{"class":"OLD","device":"/dev/ttyUSB0","time":1772352003.90,"activated":99}"#,
            #"{"class":"ODD","device":"/dev/ttyUSB0","time":99999999999999999999,"real_sec":-1,"clock_sec":"x"}"#,
        ])
        #expect(
            lines.dropFirst() == [
                #"{"class":"TOFF","device":"/dev/ttyUSB0","real_sec":1800000001,"real_nsec":123000000,"clock_sec":1800000002,"clock_nsec":23000001}"#,
                #"{"class":"PPS","device":"/dev/ttyUSB0","real_nsec":123000005,"real_sec":1800000002,"clock_sec":1800000002,"clock_nsec":123000001,"precision":-20}"#,
                #"{"class":"RAW","device":"/dev/ttyUSB0","time":1800000004,"nsec":122000000,"rawdata":[]}"#,
                #"{"class":"OLD","device":"/dev/ttyUSB0","time":1800000004.02,"activated":99}"#,
                #"{"class":"ODD","device":"/dev/ttyUSB0","time":99999999999999999999,"real_sec":-1,"clock_sec":"x"}"#,
            ])
    }

    @Test func `?POLL repeats the shifted reports`() throws {
        let standIn = try byHand(RecordedText.positions(1)) { $0.redates = true }
        standIn.send()
        let client = try SocketClient.greeted(standIn.port)
        client.send("?POLL;")
        let answer = try #require(client.line())
        #expect(!answer.contains("2026-03-01"))
        #expect(
            answer.contains(
                #""tpv":[{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2027-01-15T08:00:00.123Z""#))
    }

    @Test(arguments: ["2006-07-16T08:00:00.000Z", "2026-03-01T07:30:00.000Z"])
    func `a receiver with a wrong clock does not affect its host's times`(time: String) throws {
        let wrong = RecordedText.position(0).replacing("2026-03-01T08:00:00.000Z", with: time)
        let standIn = try byHand([wrong]) { $0.redates = true }
        let client = try SocketClient.greeted(standIn.port)
        client.send(#"?WATCH={"enable":true,"json":true};"#)
        #expect(client.line()?.contains(#""activated":"2027-01-15T08:00:00.123Z""#) == true)
        _ = client.line()
        standIn.send()
        #expect(client.line()?.contains(#""time":"2027-01-15T08:00:00.123Z""#) == true)
    }

    @Test func `a device whose time is a number has one time after a report`() throws {
        let device = #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":1772352003.25}"#
        let standIn = try byHand([device, RecordedText.position(0)])
        standIn.sendRest()
        let client = try SocketClient.greeted(standIn.port)
        client.send("?DEVICES;")
        let answer = try #require(client.line())
        #expect(
            answer.contains(#"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2026-03-01T08:00:00.000Z"}"#),
            "\(answer)")
    }
}
