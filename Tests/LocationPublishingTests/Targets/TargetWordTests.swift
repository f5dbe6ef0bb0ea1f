import LocationPublishing
import Testing

@Suite struct TargetWordTests {
    private func kind(_ text: String) throws -> TargetWord.Kind { try TargetWord(text).kind }

    @Test func `each form of the word is understood`() throws {
        #expect(
            try kind("mqtt://broker/owntracks/anna/van")
                == .ownTracks(
                    .init(host: "broker", port: 1883), isEncrypted: false, signIn: nil, user: "anna", device: "van"))
        #expect(
            try kind("mqtts://me%40home@[::1]:8884/owntracks/a/b")
                == .ownTracks(
                    .init(host: "::1", port: 8884), isEncrypted: true, signIn: "me@home", user: "a", device: "b"))
        #expect(
            try kind("mqtts://broker/fleet/van")
                == .json(.init(host: "broker", port: 8883), isEncrypted: true, signIn: nil, topic: "fleet/van"))
        #expect(
            try kind("mqtt+ha://u@home:1884")
                == .homeAssistant(.init(host: "home", port: 1884), isEncrypted: false, signIn: "u"))
        #expect(try kind("owntracks+https://h/pub") == .ownTracksHTTP(HTTPURL("https://h/pub")))
        #expect(try kind("traccar://h?id=a%20b") == .traccar(HTTPURL("http://h:5055?id=a%20b"), identifier: "a b"))
        #expect(try kind("traccars://h:443?id=x") == .traccar(HTTPURL("https://h:443?id=x"), identifier: "x"))
        #expect(try kind("overland+http://h:8080/api") == .overland(HTTPURL("http://h:8080/api")))
        let template = try PublishTemplate("https://h/?lat=%{lat}")
        #expect(try kind("https://h/?lat=%{lat}") == .webhook(template))
        #expect(try kind("udp://boat") == .nmea(.init(host: "boat", port: 10_110)))
        #expect(try kind("tcp-listen://") == .nmeaServer(.init(host: "127.0.0.1", port: 10_110)))
        #expect(try kind("tcp-listen://0.0.0.0:4000") == .nmeaServer(.init(host: "0.0.0.0", port: 4_000)))
        #expect(try kind("cot+udp://239.2.3.1") == .cursorOnTarget(.init(host: "239.2.3.1", port: 6_969)))
    }

    @Test(arguments: [
        "", "broker", "ftp://h", "mqtt://", "mqtt://h", "mqtt://h/", "mqtt://h//x", "mqtt://h/owntracks/a",
        "mqtt://h/owntracks/a/b/c", "mqtt://h/owntracks//b", "mqtt://h/a+b", "mqtt://h/#", "mqtt://h/$SYS/x",
        "mqtt://h/a\u{7}b", "mqtt://h:0/t", "mqtt://h:65536/t", "mqtt://h:x/t", "mqtt://@h/t", "mqtt+ha://h/topic",
        "udp://", "udp://h:0", "udp://h/path", "tcp-listen://:99999", "traccar://h", "traccar://h?id=", "http://",
        "http://h/%{nothing}", "http://h/%{lat", "http://h/a b", "mqtt://h ost/t",
    ])
    func `a word that names no target is an error`(word: String) {
        #expect(throws: TargetWord.Fault.self) { try TargetWord(word) }
    }

    @Test(arguments: ["mqtt://anna:hunter2@h/t", "https://anna:hunter2@h/", "owntracks+https://a:hunter2@h/"])
    func `a password in a word is refused and not repeated`(word: String) {
        do throws(TargetWord.Fault) {
            _ = try TargetWord(word)
            Issue.record("the word was accepted")
        } catch {
            #expect(error.description.contains("LOCWATCH_PASSWORD"))
            #expect(!error.description.contains("hunter2"))
        }
    }
}
