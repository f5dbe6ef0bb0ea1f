import LocationCore
import LocationPublishing
import Testing

@Suite struct PreparedTargetTests {
    private func options(host: String = "boat") -> TargetOptions {
        TargetOptions(hostName: host, version: "1.0", started: Timestamp(secondsSince1970: 1_700_000_000))
    }

    private func options(_ change: (inout TargetOptions) throws -> Void) rethrows -> TargetOptions {
        var options = options()
        try change(&options)
        return options
    }

    private func prepare(_ words: [String], _ options: TargetOptions) throws -> [PreparedTarget] {
        try PreparedTarget.prepare(words, options)
    }

    private func settings(_ target: PreparedTarget?) throws -> MQTTSettings {
        guard case .mqtt(let settings, _)? = target?.encoder else { throw PublishError.duplicate }
        return settings
    }

    private func request(_ target: PreparedTarget?) throws -> HTTPRequest {
        guard case .http(let encoder)? = target?.encoder else { throw PublishError.duplicate }
        let time = Timestamp(secondsSince1970: 1_700_000_000)
        let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time)
        let request = encoder.request(for: [PublishRecord(.moved, created: time, location: location)])
        return try #require(request)
    }

    private func fault(_ words: [String], _ options: TargetOptions) -> PublishError? {
        do {
            _ = try prepare(words, options)
            return nil
        } catch {
            return (error as? PublishError).map { PublishError($0, nil) }
        }
    }

    // MARK: Names of clients

    @Test func `a client's name is stable, short, of letters and digits, and another one for each target and machine`()
        throws
    {
        let words = [
            "mqtt://h/owntracks/u/d", "mqtt://h/owntracks/u/e", "mqtt+ha://h", "mqtt://h/a/b", "mqtts://h/a/b",
        ]
        var names: Set<String> = []
        for host in ["boat", "boathouse-1", "boathouse-2", "ボート"] {
            let once = try prepare(words, options(host: host)).map { try settings($0).clientID }
            let again = try prepare(words, options(host: host)).map { try settings($0).clientID }
            #expect(once == again)
            names.formUnion(once)
        }
        #expect(names.count == 20)
        for name in names {
            let others = name.filter { !$0.isASCII || !($0.isLetter || $0.isNumber) }
            #expect((16...23).contains(name.utf8.count) && others.isEmpty, "\(name)")
        }
    }

    @Test func `two devices of a machine have different names at the broker of Home Assistant`() throws {
        let names = try [nil, "One", "Two"].map { name in
            try settings(prepare(["mqtt+ha://h"], options { $0.deviceName = name }).first).clientID
        }
        #expect(Set(names).count == 3)
    }

    @Test func `one name for two clients of a broker is refused, but not at two brokers`() throws {
        let first = "mqtt://h/a?client=me"
        #expect(fault([first, "mqtt://H/b?client=me"], options()) == .sharedClientID("me"))
        #expect(try settings(prepare([first, "mqtt://h:1884/b?client=me"], options()).last).clientID == "me")
        for bad in ["", String(repeating: "x", count: 24), "a%0Ab"] {
            #expect(throws: PublishError.badParameter("client", allowed: "1 to 23 bytes of visible characters")) {
                try TargetWord("mqtt://h/a?client=\(bad)")
            }
        }
    }

    // MARK: Options

    @Test(arguments: [
        (["udp://h"], TargetOption.password), (["mqtt://u@h/a"], .authorityFile),
        (["https://h/?a=%{lat}"], .deviceName), (["traccar://h?id=7"], .deviceName), (["mqtt+ha://h"], .headers),
        (["owntracks+https://u@h/pub"], .body),
        (["http://h/?a=%{lat}"], .certificate),
    ])
    func `an option that no target can use is refused`(words: [String], option: TargetOption) throws {
        let options = try self.options {
            switch option {
            case .password: $0.password = "secret"
            case .authorityFile: $0.encryption.authorityFile = "/ca.pem"
            case .deviceName: $0.deviceName = "x"
            case .headers: $0.headers = try HTTPHeaders(["X-A": "b"])
            case .body: $0.body = .template(try PublishTemplate("{}"))
            case .certificate: $0.encryption.certificateFile = "/c.pem"
            default: break
            }
        }
        #expect(fault(words, options) == .unusedOption(option))
        let message = try #require(throws: PublishError.self) { try prepare(words, options) }
        #expect(!"\(message)".contains("secret"))
    }

    @Test func `an option that one of several targets can use is accepted`() throws {
        let options = self.options { $0.password = "secret" }
        let targets = try prepare(["udp://h", "mqtt://u@127.0.0.1/a", "mqtt://h/b"], options)
        #expect(try settings(targets[1]).password == "secret")
        #expect(try settings(targets[2]).password == nil)
        #expect(targets.flatMap(\.warnings) == [])
    }

    @Test func `a name that is missing or impossible, a key alone and a target named twice are refused`() {
        #expect(fault(["mqtt+ha://h"], options(host: "")) == .missingDeviceName)
        #expect(fault(["cot+udp://h"], options(host: "")) == .missingDeviceName)
        #expect(fault(["mqtt://h/owntracks/u/d"], options(host: "")) == nil)
        #expect(fault(["owntracks+https://h/pub"], options()) == .missingUser)
        #expect(fault(["owntracks+https://u@h/pub"], options { $0.deviceName = "a/b" }) == .deviceName(.topic(.slash)))
        #expect(fault(["mqtt://h/a"], options { $0.password = "x" }) == .passwordWithoutUser)
        #expect(fault(["mqtts://h/a"], options { $0.encryption.keyFile = "/k" }) == .keyWithoutCertificate)
        #expect(fault(["udp://h", "udp://h"], options()) == .duplicate)
    }

    @Test func `a password without encryption, and one for several servers, is reported`() throws {
        let options = self.options { $0.password = "secret" }
        #expect(try prepare(["mqtt://u@h/a"], options)[0].warnings == [.plainPassword(host: "h")])
        #expect(try prepare(["http://u@h/?a=%{lat}"], options)[0].warnings == [.plainPassword(host: "h")])
        #expect(try prepare(["mqtts://u@h/a"], options)[0].warnings.isEmpty)
        #expect(try prepare(["mqtt://u@localhost/a"], options)[0].warnings.isEmpty)
        let two = try prepare(["mqtts://u@a/a", "https://u@b/?a=%{lat}", "mqtts://u@A/b"], options)
        #expect(two[0].warnings == [.sharedPassword(hosts: ["a", "b"])])
    }

    // MARK: Encoders

    @Test func `the options reach the settings of a broker`() throws {
        let options = self.options {
            $0.password = "secret"
            $0.encryption.authorityFile = "/ca"
            $0.encryption.certificateFile = "/both"
            $0.keepAlive = .seconds(7)
            $0.connectionTimeout = .seconds(3)
        }
        let target = try prepare(["mqtts://u@h/a"], options)[0]
        let settings = try settings(target)
        #expect(settings.port == 8883 && settings.user == "u" && settings.password == "secret")
        #expect(settings.encryption?.authorityFile == "/ca" && settings.encryption?.certificateFile == "/both")
        #expect(settings.encryption?.keyFile == "/both" && settings.keepAlive == .seconds(7))
        #expect(settings.connectionTimeout == .seconds(3))
        #expect(target.delivery.backlog == .newestFirst)
    }

    @Test func `the options reach the requests of servers`() throws {
        let options = self.options {
            $0.password = "secret"
            $0.deviceName = "yacht"
            $0.requestTimeout = .seconds(4)
        }
        let overland = try prepare(["overland+https://h/api?newest"], options)[0]
        #expect(try request(overland).headers["Authorization"] == "Bearer secret")
        #expect(overland.delivery.backlog == .none && overland.delivery.batchSize == 200)
        #expect(overland.limits.timeout == .seconds(4))
        let ownTracks = try request(prepare(["owntracks+https://u@h/pub"], options)[0])
        #expect(ownTracks.headers["X-Limit-D"] == "yacht" && ownTracks.headers["Authorization"] == "Basic dTpzZWNyZXQ=")
        var webhook = self.options()
        webhook.body = .template(try PublishTemplate("lat=%{lat}"))
        webhook.contentType = "application/x-www-form-urlencoded"
        let put = try request(prepare(["https://h/x?method=put"], webhook)[0])
        #expect(put.url.query == nil && put.method == .put && put.headers["Content-Type"] == webhook.contentType)
        let traccar = try prepare(["traccar://h"], self.options(host: "boat"))[0]
        #expect(try request(traccar).url.query?.hasPrefix("id=boat&") == true)
        #expect(traccar.delivery.backlog == .ordered && traccar.delivery.batchSize == 1)
    }

    @Test func `options show no secret`() {
        let options = self.options { $0.password = "hunter2" }
        var text = ""
        dump(options, to: &text)
        #expect(!"\(options) \(String(reflecting: options)) \(text)".contains("hunter2"))
    }

    // MARK: Files

    @Test func `the name of a target's files is safe, and differs with the query`() throws {
        let words = [
            "https://h.example/a?token=1&l=%{lat}", "https://h.example/a?token=2&l=%{lat}",
            "https://h.example/b?l=%{lat}",
            "http://h.example/a?token=1&l=%{lat}", "udp://[::1]:5", "tcp-listen://", "mqtt://u@h.example/owntracks/a/b",
        ]
        let names = try words.map { try TargetWord($0).fileName }
        #expect(Set(names).count == words.count)
        for name in names {
            let others = name.filter { !$0.isASCII || !($0.isLetter || $0.isNumber || "-.".contains($0)) }
            #expect(others.isEmpty && !name.contains("token") && !name.hasPrefix(".") && name.count <= 60)
        }
        #expect(names[0].hasPrefix("https-h.example-") && names[5].hasPrefix("tcp-listen-"))
    }

    @Test func `the name of a target's files does not change from release to release`() throws {
        // A change would send every queue again from its start.
        #expect(try TargetWord("udp://h").fileName == "udp-h-33e1b09e6e0754dc")
        #expect(try TargetWord("UDP://h").fileName == TargetWord("udp://h").fileName)
    }
}
