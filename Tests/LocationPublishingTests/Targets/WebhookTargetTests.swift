import Foundation
import LocationCore
import LocationTracks
import Testing

@testable import LocationPublishing

@Suite struct PublishTemplateTests {
    private func text(_ template: String, _ record: PublishRecord = Samples.record(used: 9)) throws -> String {
        try PublishTemplate(template).urlEncoded(record)
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("%{lat},%{lon}", "45.05,7.68"), ("%{lat:.3}", "45.050"), ("%{speed:.0}", "4"),
        ("%{time}", "2026-03-20T09%3A27%3A25.400Z"), ("%{unixtime} %{unixms}", "1773998845 1773998845400"),
        ("%{device}", "%2Fdev%2FttyACM0"), ("%{mode}%{used}", "39"), ("%{alt}|%{altMSL}", "241.3|241.3"),
        ("[%{climb}]", "[]"), ("%{occasion}%{fence}%{change}", "moved"), ("%20 100%% %", "%20 100% %"),
        ("%%{lat}", "%{lat}"), ("\\n%{eph}\\t\\\\\\", "\n4.2\t\\\\"),
    ])
    func `values take the place of their names`(template: String, expected: String) throws {
        #expect(try text(template) == expected)
    }

    @Test func `a fence event has its fence and its change`() throws {
        #expect(
            try text("%{occasion}/%{fence}/%{change}", Samples.record(.fence(.exit, name: "a/b&c=d\n")))
                == "fence/a%2Fb%26c%3Dd%0A/exit")
    }

    @Test func `the names are those of the command's templates, and those of a record`() {
        let missing = [
            "interpolated", "error", "errorEast", "errorNorth", "errorUp", "xdop", "ydop", "hdop", "vdop", "pdop",
            "tdop",
            "gdop",
        ]
        let added = [
            "occasion", "fence", "change", "created", "repeated", "unixtime", "unixms", "unixus", "latE7", "lonE7",
        ]
        #expect(Set(PublishTemplate.names) == Set(PointFieldNames.all).subtracting(missing).union(added))
        #expect(Set(PublishTemplate.names).count == PublishTemplate.names.count)
        // The order of the fields is that of the command, too.
        #expect(RecordField.reported.map(\.name) == PointFieldNames.all.filter { !missing.contains($0) && $0 != "alt" })
        #expect(
            Set(PublishTemplate.fields.filter(\.hasDecimals).map(\.name))
                == Set(PointFieldNames.numbers.map { PointFieldNames.all[$0] }).subtracting(missing))
    }
}

@Suite struct RecordJSONTests {
    @Test func `a record has the keys of a position and its occasion`() {
        #expect(
            text(RecordJSON.encode(Samples.record(.fence(.enter, name: "Home"), used: 9)))
                == #"{"event":"location","time":"2026-03-20T09:27:25.400Z","lat":45.05,"lon":7.68,"altMSL":241.3,"#
                + #""altHAE":289.3,"mode":3,"eph":4.2,"epv":7.5,"speed":3.9,"course":181.4,"#
                + #""device":"/dev/ttyACM0","used":9,"geoidSep":48,"occasion":"fence","fence":"Home","#
                + #""change":"enter","created":"2026-03-20T09:27:25.400Z"}"#)
    }

    @Test func `a loss is not taken for a position`() {
        #expect(
            text(RecordJSON.encode(Samples.record(.lost, nil)))
                == #"{"event":"lost","occasion":"lost","created":"2026-03-20T09:27:25.400Z"}"#)
    }

    @Test func `every record is valid JSON, with numbers and names of any kind`() throws {
        for record in Samples.hostileRecords {
            let json = try object(RecordJSON.encode(record))
            #expect(json["device"] as? String == record.location?.device)
            #expect(json["status"] as? Int == .min)
        }
    }
}

@Suite struct JSONTargetTests {
    @Test func `the last record and the status are retained, an old record and a fence event are not`() throws {
        let target = JSONTarget(try MQTTTopic("car/1"))
        let record = Samples.record()
        let json = RecordJSON.encode(record)
        #expect(target.messages(for: record, isOld: false) == [MQTTMessage("car/1", json, isRetained: true)])
        #expect(target.messages(for: record, isOld: true) == [MQTTMessage("car/1", json, isRetained: false)])
        #expect(
            target.messages(for: Samples.record(.fence(.exit, name: "x")), isOld: false).map(\.isRetained) == [false])
        let offline = MQTTMessage("car/1/status", Array("offline".utf8), isRetained: true)
        #expect(target.will == offline && target.farewell() == [offline])
        #expect(target.greeting() == [MQTTMessage("car/1/status", Array("online".utf8), isRetained: true)])
        #expect(target.backlog == .newestFirst)
    }
}

@Suite struct WebhookTargetTests {
    private func target(
        _ url: String, body: String? = nil, method: HTTPMethod? = nil, headers: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPTarget {
        try HTTPTarget.webhook(
            PublishTemplate(url), body: body.map { .template(try PublishTemplate($0)) }, method: method,
            headers: try HTTPHeaders(headers))
    }

    @Test func `an address with values is fetched`() throws {
        let target = try target("https://h/logGet/T/N?lat=%{lat}&lon=%{lon}&timestamp=%{unixtime}&acc=%{eph:.1}")
        let request = try #require(target.request(for: [Samples.record()]))
        #expect(request.method == .get && request.body.isEmpty && request.headers.fields.isEmpty)
        #expect(request.url.text == "https://h/logGet/T/N?lat=45.05&lon=7.68&timestamp=1773998845&acc=4.2")
        #expect(target.batchSize == 1)
    }

    @Test func `an address without values receives the JSON of the record`() throws {
        let request = try #require(try target("https://h/hook").request(for: [Samples.record()]))
        #expect(request.method == .post && request.body == RecordJSON.encode(Samples.record()))
        #expect(request.headers["Content-Type"] == "application/json")
        let put = try #require(try target("https://h/%{mode}", method: .put).request(for: [Samples.record()]))
        #expect(put.method == .put && put.body == RecordJSON.encode(Samples.record()))
    }

    @Test(arguments: Samples.hostileNames)
    func `a body of JSON stays JSON, whatever a name is`(name: String) throws {
        let target = try target(
            "https://h/", body: #"{"a":"x %{device} \"%{fence}\"","b":%{fence},"c":%{lat},"d":%{climb},"e":%{time}}"#)
        var location = Samples.bare(45, 7)
        location.device = name
        let request = try #require(target.request(for: [Samples.record(.fence(.enter, name: name), location)]))
        let json = try object(request.body)
        #expect(json["a"] as? String == "x \(name) \"\(name)\"" && json["b"] as? String == name)
        #expect(json["c"] as? Int == 45 && json["d"] is NSNull && json["e"] is NSNull)
        #expect(request.headers["Content-Type"] == "application/json")
    }

    @Test func `an escape in a string of JSON stays the escape that JSON has, and is the character elsewhere`() throws {
        let json = #"{"a":"1\n2\t3\\ \"%{fence}\" \u00e9\/",\n"b":[\t"\\"]}"#
        let record = Samples.record(.fence(.enter, name: "Home"))
        let request = try #require(try target("https://h/", body: json).request(for: [record]))
        #expect(text(request.body) == #"{"a":"1\n2\t3\\ \"Home\" \u00e9\/","# + "\n\"b\":[\t" + #""\\"]}"#)
        #expect(try object(request.body)["a"] as? String == "1\n2\t3\\ \"Home\" \u{e9}/")
        let other = try #require(try target("https://h/", body: #"at\t%{lat}\n\\"#).request(for: [record]))
        #expect(text(other.body) == "at\t45.05\n\\")
    }

    @Test func `the body of a form is percent-encoded, and another one escaped`() throws {
        let form = "name=%{fence}&lat=%{lat}&climb=%{climb}"
        let record = Samples.record(.fence(.enter, name: "a&b \"\n"))
        let type = "application/x-www-form-urlencoded"
        let request = try #require(
            try target("https://h/", body: form, headers: ["Content-Type": type]).request(for: [record]))
        #expect(text(request.body) == "name=a%26b%20%22%0A&lat=45.05&climb=")
        let other = try #require(try target("https://h/", body: "at %{fence}").request(for: [record]))
        #expect(text(other.body) == #"at a&b \"\n"#)
        #expect(other.headers["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test(
        arguments: [
            ("%{device}://h/", .scheme), ("https://%{device}/", .host), ("https://h%{device}/", .host),
            ("https://h:%{mode}/", .host), ("ftp://h/%{lat}", .scheme), ("https://h/a b", .character),
            ("https://h/%zz", .percentEncoding), ("https://user@h/%{lat}", .credentials), ("", .scheme),
        ] as [(String, HTTPURLFault)])
    func `a template that makes no address, or chooses the host, is refused`(url: String, fault: HTTPURLFault) {
        #expect(throws: HTTPError.invalidURL(fault)) { try target(url) }
    }

    @Test func `a method without a body refuses a template of one`() {
        #expect(throws: HTTPError.unexpectedBody(.get)) { try target("https://h/", body: "x", method: .get) }
    }

    @Test func `what has no position or too long an address is not sent`() throws {
        let target = try target("https://h/?n=%{fence}&lat=%{lat}")
        #expect(target.request(for: [Samples.record(.lost, nil)]) == nil)
        let long = Samples.record(.fence(.enter, name: String(repeating: "x", count: 9000)))
        #expect(target.request(for: [long]) == nil)
        for record in Samples.hostileRecords {
            let request = try #require(target.request(for: [record]))
            #expect(try HTTPURL(request.url.text) == request.url)
            try request.validate()
        }
    }
}
