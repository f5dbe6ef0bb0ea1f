import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct TargetWordTests {
    private let started = Timestamp(secondsSince1970: 1_700_000_000)

    /// Returns the encoder and the address of a word, on a machine with the name `boat`.
    private func target(_ word: String) throws -> TargetEncoder {
        let options = TargetOptions(hostName: "boat", version: "1.0", started: started)
        return try PreparedTarget.prepare([word], options)[0].encoder
    }

    private func mqtt(_ word: String) throws -> (settings: MQTTSettings, encoder: any MQTTTarget) {
        guard case .mqtt(let settings, let encoder) = try target(word) else { throw PublishError.noHost }
        return (settings, encoder)
    }

    private func http(_ word: String) throws -> [HTTPRequest?] {
        guard case .http(let encoder) = try target(word) else { throw PublishError.noHost }
        return requests(encoder)
    }

    private func requests(_ target: HTTPTarget) -> [HTTPRequest?] {
        [Samples.record(), Samples.record(.fence(.enter, name: "home"))].map { target.request(for: [$0]) }
    }

    @Test(
        arguments: [
            ("mqtt://h/owntracks/anna/boat", "h", 1883, false, nil),
            ("mqtts://me%40x@[::1]:8884/owntracks/anna/boat", "::1", 8884, true, "me@x"),
            ("mqtts://h/a/b c", "h", 8883, true, nil), ("MQTT+HA://h", "h", 1883, false, nil),
            ("mqtts+ha://u@h:1/", "h", 1, true, "u"),
        ] as [(String, String, UInt16, Bool, String?)])
    func `words of MQTT have a broker`(word: String, host: String, port: UInt16, isEncrypted: Bool, user: String?)
        throws
    {
        let settings = try mqtt(word).settings
        #expect(settings.host == host && settings.port == port)
        #expect((settings.encryption != nil) == isEncrypted && settings.user == user)
        #expect(try TargetWord(word).takesPassword == (user != nil))
    }

    @Test func `the files of TLS are parameters of a target that has TLS, and no part of its identity`() throws {
        let word = "mqtts://h/owntracks/anna/boat?tracker=AB&ca-file=/ca.pem&cert=/c.pem,/k.pem"
        let encryption = try #require(try mqtt(word).settings.encryption)
        #expect(encryption.files == ["/ca.pem", "/c.pem", "/k.pem"])
        #expect(try TargetWord(word) == TargetWord("mqtts://h/owntracks/anna/boat"))
        // One file can have both.
        let both = try TargetWord("https://h/x?id=1&cert=%2Fboth.pem")
        #expect(both.encryption.certificateFile == "/both.pem" && both.encryption.keyFile == nil)
        #expect(throws: PublishError.unexpectedParameter("ca-file")) { try TargetWord("mqtt://h/a?ca-file=/ca.pem") }
        #expect(throws: PublishError.self) { try TargetWord("mqtts://h/a?cert=a,b,c") }
        // A server without TLS can have a parameter of this name.
        #expect(try TargetWord("http://h/x?ca-file=1").encryption.files == [])
    }

    @Test func `words of MQTT have a topic, which decides between OwnTracks and JSON`() throws {
        let boat = OwnTracksTarget(try OwnTracksDevice(user: "anna", device: "boat"), started: started)
        for word in ["mqtt://h/owntracks/anna/boat", "mqtts://me%40x@[::1]:8884/owntracks/anna/boat"] {
            #expect(try mqtt(word).encoder as? OwnTracksTarget == boat)
        }
        #expect(try mqtt("mqtts://h/a/b c").encoder as? JSONTarget == JSONTarget(MQTTTopic("a/b c")))
        #expect(
            try mqtt("MQTT+HA://h").encoder as? HomeAssistantTarget
                == HomeAssistantTarget(name: "boat", version: "1.0"))
    }

    @Test(arguments: [("a%20b%C3%a9", "a bé"), ("%+5%-1", "%+5%-1"), ("% 2%4%zz%", "% 2%4%zz%"), ("%%41", "%A")])
    func `a percent sign is decoded with two hexadecimal digits only`(encoded: String, text: String) throws {
        #expect(PercentEncoding.decode(encoded) == text)
        #expect(try TargetWordParts("\(encoded)@h", allowsEmptyHost: false).user == text)
    }

    @Test func `words of HTTP have an address`() throws {
        let signedIn = try HTTPHeaders(["Authorization": "Basic YW5uYTo="])
        let boat = try OwnTracksDevice(user: "anna", device: "boat")
        let other = try OwnTracksDevice(user: "a b", device: "boat")
        let targets: KeyValuePairs<String, HTTPTarget> = [
            "owntracks+https://anna@h:8083/pub?d=boat":
                try .ownTracks(HTTPURL("https://h:8083/pub?d=boat"), device: boat, started: started, headers: signedIn),
            "owntracks+http://[::1]/?u=a%20b":
                try .ownTracks(HTTPURL("http://[::1]/?u=a%20b"), device: other, started: started),
            "traccar://h?id=a%26b": .traccar(try HTTPURL("http://h:5055/"), id: "a&b"),
            "traccars://h:443/x": .traccar(try HTTPURL("https://h/x"), id: "boat"),
            "overland+https://h/api?x=1": try .overland(HTTPURL("https://h/api?x=1"), device: "boat"),
            "overland+http://h": try .overland(HTTPURL("http://h/"), device: "boat"),
            "https://anna@h:8443/a?lat=%{lat}":
                try .webhook(PublishTemplate("https://h:8443/a?lat=%{lat}"), headers: signedIn),
            "http://h?lat=%{lat}": try .webhook(PublishTemplate("http://h/?lat=%{lat}")),
        ]
        for (word, target) in targets { #expect(try http(word) == requests(target), "\(word)") }
    }

    @Test func `a password is of use to a user in the word, and to a server that takes a token`() throws {
        let words = [
            "owntracks+https://anna@h/pub": true, "https://me@h/%{lat}": true, "overland+https://h": true,
            "owntracks+https://h/pub?u=a": false, "http://h?lat=%{lat}": false, "traccar://h": false, "udp://h": false,
            "tcp-listen://": false, "cot+udp://h": false,
        ]
        for (word, takesPassword) in words { #expect(try TargetWord(word).takesPassword == takesPassword, "\(word)") }
    }

    @Test(
        arguments: [
            ("udp://192.0.2.1", "192.0.2.1", 10110), ("udp://[ff02::1]:4349", "ff02::1", 4349),
            ("cot+udp://239.2.3.1", "239.2.3.1", 6969),
        ] as [(String, String, UInt16)])
    func `words of datagrams have a host and a port`(word: String, host: String, port: UInt16) throws {
        guard case .datagrams(host, port, let encoder) = try target(word) else {
            Issue.record("\(try target(word))")
            return
        }
        let isCursorOnTarget = word.hasPrefix("cot")
        #expect((encoder is NMEATarget) == !isCursorOnTarget)
        let callsign = (encoder as? CursorOnTargetTarget)?.callsign
        #expect(callsign == (isCursorOnTarget ? "boat" : nil))
    }

    @Test(
        arguments: [
            ("tcp-listen://", nil, 10110), ("tcp-listen://:2000", nil, 2000), ("tcp-listen://[::1]:2000", "::1", 2000),
        ] as [(String, String?, UInt16)])
    func `words of listeners can have an address and a port`(word: String, address: String?, port: UInt16) throws {
        guard case .listener(address, port, let encoder) = try target(word) else {
            Issue.record("\(try target(word))")
            return
        }
        #expect(encoder is NMEATarget)
    }

    @Test(
        arguments: [
            ("pty:/tmp/gps", .terminal, "/tmp/gps", 0o600), ("PTY:~/gps", .terminal, "/home/anna/gps", 0o600),
            ("pty:~anna/gps", .terminal, "~anna/gps", 0o600), ("fifo:gps", .pipe, "gps", 0o600),
            ("fifo:a:b?mode=640", .pipe, "a:b", 0o640), ("unix-listen:///run/x?mode=666", .socket, "///run/x", 0o666),
            ("file:x y.json", .file, "x y.json", 0o600), ("file:x?format=?&=%{lat}&mode=%{mode}", .file, "x", 0o600),
            ("file:x?mode=644&format=%{lat}", .file, "x", 0o644), ("file:x?", .file, "x", 0o600),
        ] as [(String, TargetEncoder.EncoderEntry, String, UInt32)])
    func `words of paths have a path and a mode`(
        word: String, entry: TargetEncoder.EncoderEntry, path: String, mode: UInt32
    )
        throws
    {
        var options = TargetOptions(hostName: "boat", version: "1.0", started: started)
        options.homeFolder = "/home/anna"
        let target = try PreparedTarget.prepare([word], options)[0]
        guard case .path(path, entry, mode, let encoder) = target.encoder else {
            Issue.record("\(target.encoder)")
            return
        }
        #expect((encoder is FileTarget) == (entry == .file) && target.needsSky == (entry != .file))
        #expect(!target.word.takesPassword && target.delivery.backlog == .none)
    }

    @Test func `two words are the same if all but the case of their scheme is`() throws {
        #expect(try TargetWord("HTTPS://h/a?t=1") == TargetWord("https://h/a?t=1"))
        #expect(try TargetWord("https://h/a?t=1") != TargetWord("https://h/a?t=2"))
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
            ("pty:", .noPath), ("file:?format=x", .noPath), ("fifo:a\0b", .noPath), ("udp:h", .noScheme),
            ("file", .noScheme),
            ("pty:x?mode=600", .unexpectedParameter("mode")), ("fifo:x?format=a", .unexpectedParameter("format")),
            ("file:x?mode", .badMode("")), ("file:x?mode=8", .badMode("8")), ("file:x?mode=+7", .badMode("+7")),
            ("unix-listen:x?mode=1777", .badMode("1777")), ("file:x?format=%{lat", .template(.unclosedBrace)),
            ("file:x?format=a&b&mode=640", .modeAfterTemplate),
            ("file:x?mode=\u{1b}", .badMode("\u{1b}")), ("file:x?\u{1b}", .unexpectedParameter("\u{1b}")),
            ("owntracks+https://h/a b", .url(cause: HTTPURLFault.character.rawValue)),
            ("traccar://h?id=%zz", .url(cause: HTTPURLFault.percentEncoding.rawValue)),
            ("https://h/%{latte}x", .template(.unknownName("latte"))),
            ("https://h/%{lat", .template(.unclosedBrace)),
            ("https://h/a b", .url(cause: HTTPURLFault.character.rawValue)),
        ] as [(String, PublishError)])
    func `a mistake is an error in plain words`(word: String, error: PublishError) {
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
        #expect(PublishError.badHost("a\u{1b}[31m").description.hasPrefix(#""a\x1b[31m" is neither"#))
    }

    @Test func `each scheme of the table has a form that is understood`() throws {
        let names = TargetScheme.all.map(\.name)
        #expect(Set(names).count == names.count && names.count == 21)
        for scheme in TargetScheme.all {
            #expect(scheme.example.hasPrefix(scheme.prefix) && !scheme.summary.isEmpty)
            let word = scheme.example.filter { $0 != "[" && $0 != "]" }
                .replacing("USER@", with: "").replacing("PORT", with: "1").replacing("ADDRESS", with: "::1")
                .replacing("TEMPLATE", with: "%{lat}")
            if scheme.name == "tcp-listen" { continue }
            _ = try TargetWord(word)
        }
        #expect(PublishError.noScheme.description.hasPrefix("it must begin with one of mqtt:// mqtts:// "))
    }
}
