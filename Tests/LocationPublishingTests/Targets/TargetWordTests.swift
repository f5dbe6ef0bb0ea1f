import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct TargetWordTests {
    private func kind(_ word: String) throws -> TargetWord.Kind { try TargetWord(word).kind }

    @Test func `words of MQTT have a broker and a topic`() throws {
        let plain = BrokerAddress(host: "h", port: 1883, isEncrypted: false)
        let boat = try OwnTracksDevice(user: "anna", device: "boat")
        #expect(try kind("mqtt://h/owntracks/anna/boat") == .ownTracks(plain, boat))
        #expect(
            try kind("mqtts://me%40x@[::1]:8884/owntracks/anna/boat")
                == .ownTracks(BrokerAddress(host: "::1", port: 8884, isEncrypted: true, user: "me@x"), boat))
        #expect(
            try kind("mqtts://h/a/b c") == .json(.init(host: "h", port: 8883, isEncrypted: true), MQTTTopic("a/b c")))
        #expect(try kind("MQTT+HA://h") == .homeAssistant(plain))
        #expect(
            try kind("mqtts+ha://u@h:1/")
                == .homeAssistant(.init(host: "h", port: 1, isEncrypted: true, user: "u")))
    }

    @Test func `words of HTTP have an address`() throws {
        #expect(
            try kind("owntracks+https://anna@h:8083/pub?d=boat")
                == .ownTracksHTTP(HTTPURL("https://h:8083/pub?d=boat"), login: "anna", user: "anna", device: "boat"))
        #expect(
            try kind("owntracks+http://[::1]/?u=a%20b")
                == .ownTracksHTTP(HTTPURL("http://[::1]/?u=a%20b"), login: nil, user: "a b", device: nil))
        #expect(try kind("traccar://h?id=a%26b") == .traccar(HTTPURL("http://h:5055/"), id: "a&b"))
        #expect(try kind("traccars://h:443/x") == .traccar(HTTPURL("https://h/x"), id: nil))
        #expect(try kind("overland+https://h/api?x=1") == .overland(HTTPURL("https://h/api?x=1")))
        #expect(try kind("overland+http://h") == .overland(HTTPURL("http://h/")))
        #expect(
            try kind("https://me@h:8443/a?lat=%{lat}")
                == .webhook(PublishTemplate("https://h:8443/a?lat=%{lat}"), login: "me"))
        #expect(try kind("http://h?lat=%{lat}") == .webhook(PublishTemplate("http://h/?lat=%{lat}"), login: nil))
    }

    @Test func `words of streams have a host and a port`() throws {
        #expect(try kind("udp://192.0.2.1") == .nmeaDatagrams(host: "192.0.2.1", port: 10110))
        #expect(try kind("udp://[ff02::1]:4349") == .nmeaDatagrams(host: "ff02::1", port: 4349))
        #expect(try kind("tcp-listen://") == .nmeaListener(address: nil, port: 10110))
        #expect(try kind("tcp-listen://:2000") == .nmeaListener(address: nil, port: 2000))
        #expect(try kind("tcp-listen://[::1]:2000") == .nmeaListener(address: "::1", port: 2000))
        #expect(try kind("cot+udp://239.2.3.1") == .cursorOnTarget(host: "239.2.3.1", port: 6969))
    }

    @Test(
        arguments: [
            ("", .noScheme), ("host", .noScheme), ("mqtt:host", .noScheme), ("://h", .unknownScheme("")),
            ("ftp://h", .unknownScheme("ftp")), ("mqtt://", .noHost), ("mqtt:///a", .noHost), ("udp://", .noHost),
            ("mqtt://u@/a", .noHost), ("udp://:10110", .noHost), ("http:///x", .noHost),
            ("mqtt://a b/t", .badHost("a b")), ("mqtt://::1/t", .badHost("::1")), ("mqtt://[h]/t", .badHost("h")),
            ("mqtt://[::1/t", .badHost("[::1")), ("mqtt://[::1]x/t", .badHost("x")), ("mqtt://-a/t", .badHost("-a")),
            ("mqtt://[]/t", .badHost("")), ("https://%{lat}/", .badHost("%{lat}")),
            ("mqtt://h:0/t", .badPort("0")), ("mqtt://h:65536/t", .badPort("65536")), ("udp://h:+1", .badPort("+1")),
            ("udp://h:1a", .badPort("1a")), ("mqtt://h:1:2/t", .badPort("1:2")), ("https://h:x/", .badPort("x")),
            ("mqtt://h", .topic(.empty)), ("mqtt://h/", .topic(.empty)), ("mqtt://h//a", .topic(.leadingSlash)),
            ("mqtt://h/a//b", .topic(.emptyLevel)), ("mqtt://h/a/", .topic(.emptyLevel)),
            ("mqtt://h/owntracks/+/x", .topic(.wildcard)), ("mqtt://h/a/#", .topic(.wildcard)),
            ("mqtt://h/$SYS/x", .topic(.wildcard)), ("mqtt://h/a\nb", .topic(.hidden)),
            ("mqtt://h/a\0", .topic(.hidden)), ("mqtt://h/a\u{202e}", .topic(.hidden)),
            ("mqtt://h/" + String(repeating: "x", count: 1001), .topic(.length)),
            ("mqtt://h/owntracks", .ownTracksTopic), ("mqtt://h/owntracks/a", .ownTracksTopic),
            ("mqtt://h/owntracks/a/b/c", .ownTracksTopic),
            ("mqtt+ha://h/x", .unexpectedPath("/x")), ("udp://h/x", .unexpectedPath("/x")),
            ("cot+udp://h?x", .unexpectedPath("?x")), ("tcp-listen://h#x", .unexpectedPath("#x")),
            ("udp://u@h", .unexpectedUser), ("traccar://u@h", .unexpectedUser),
            ("overland+http://u@h", .unexpectedUser), ("cot+udp://u@h", .unexpectedUser),
            ("traccar://h?di=1", .unexpectedParameter("di")),
            ("owntracks+https://h/a b", .url(.character)), ("traccar://h?id=%zz", .url(.percentEncoding)),
            ("https://h/%{latte}x", .template(.unknownName("latte", known: PublishTemplate.names))),
            ("https://h/%{lat", .template(.unclosed)),
            ("https://h/a b", .url(.character)),
        ] as [(String, TargetWordError)])
    func `a mistake is an error in plain words`(word: String, error: TargetWordError) {
        #expect(throws: error) { try TargetWord(word) }
        #expect(error.description.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) })
        #expect(!error.description.isEmpty)
    }

    @Test(
        arguments: [
            "mqtt://u:s3cret@h/owntracks/a/b", "mqtt://u:@h/t", "mqtt://:s3cret@h/t", "mqtts+ha://u:s3cret@h",
            "https://u:s3cret@h/%{lat}", "owntracks+https://u:s3cret@h/pub", "mqtt://u:s3c/ret@h/t",
            "mqtt://u:s3c?ret@h/t", "udp://u:s3c@ret@h",
        ])
    func `a password is refused, is not shown, and the place for it is`(word: String) {
        do {
            _ = try TargetWord(word)
            Issue.record("accepted")
        } catch {
            #expect(error == .password)
            #expect(error.description.containsBytes(of: "LOCWATCH_PASSWORD or --password-file"))
            #expect(!error.description.containsBytes(of: "s3c"))
        }
    }

    @Test func `a word is printed with visible characters, and without its query`() throws {
        #expect(try TargetWord("HTTPS://h/a?token=x&lat=%{lat}").description == "https://h/a?…")
        #expect(try TargetWord("mqtt://u@h/a/b").description == "mqtt://u@h/a/b")
        #expect(try TargetWord("traccar://h?id=7").description == "traccar://h?…")
        #expect(TargetWordError.badHost("a\u{1b}[31m").description.hasPrefix(#""a\x1b[31m" is neither"#))
    }

    @Test func `each scheme of the table has a form that is understood`() throws {
        let names = TargetScheme.all.map(\.name)
        #expect(Set(names).count == names.count && names.count == 15)
        for scheme in TargetScheme.all {
            #expect(scheme.example.hasPrefix(scheme.name + "://") && !scheme.summary.isEmpty)
            let word = scheme.example.filter { $0 != "[" && $0 != "]" }
                .replacing("USER@", with: "").replacing("PORT", with: "1").replacing("ADDRESS", with: "::1")
            if scheme.name == "tcp-listen" { continue }
            _ = try TargetWord(word)
        }
        #expect(TargetWordError.noScheme.description.hasPrefix("it must begin with one of mqtt:// mqtts:// "))
    }
}
