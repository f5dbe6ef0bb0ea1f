package import LocationCore

extension TargetScheme {
    /// OwnTracks over HTTP, whose query can name the user and the device.
    static let ownTracksHTTP = pair(
        ("owntracks+http", "OwnTracks over HTTP"), encrypted: ("owntracks+https", "OwnTracks over HTTPS"),
        form: "[USER@]HOST[:PORT]/PATH[?u=USER&d=DEVICE]", access: .user, parameters: [.tracker, .newest]
    ) { parts throws(PublishError) in
        let url = try parts.url()
        let parameters = url.parameters
        return { target throws(PublishError) in
            guard let user = parameters.first(where: { $0.name == "u" })?.value ?? parts.user else {
                throw .missingUser
            }
            let name = try target.deviceName(parameters.first { $0.name == "d" }?.value)
            let headers = try target.headers(for: url, login: parts.user)
            let device: OwnTracksDevice
            do throws(PublishError) {
                device = try OwnTracksDevice(user: user, device: name)
            } catch {
                throw .deviceName(error)
            }
            return try target.request { () throws(HTTPError) in
                .http(
                    try .ownTracks(
                        url, device: device, trackerID: parts.value(of: .tracker), started: target.options.started,
                        headers: headers))
            }
        }
    }
}

extension HTTPTarget {
    /// Returns a target of OwnTracks over HTTP: the Recorder, Traccar, Home Assistant, Dawarich and others.
    package static func ownTracks(
        _ url: HTTPURL, device: OwnTracksDevice, trackerID: String? = nil, started: Timestamp,
        headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) -> HTTPTarget {
        var headers = headers
        try headers.set("Content-Type", "application/json")
        try headers.set("X-Limit-U", device.user)
        try headers.set("X-Limit-D", device.device)
        let (trackerID, topic, event) = (trackerID ?? device.trackerID, device.topic.name, device.eventTopic)
        return HTTPTarget(
            headers: headers, isOncePerSecond: true, verdict: { ownTracksVerdict(on: $0, topic: topic) },
            content: { records in
                guard let record = records.first else { return nil }
                let body =
                    OwnTracksMessage.transition(record, trackerID: trackerID, defined: started, topic: event)
                    ?? OwnTracksMessage.location(record, trackerID: trackerID, topic: topic)
                return body.map { (url, $0) }
            })
    }

    /// Returns what a response means: a server of OwnTracks answers with a list, or, as Traccar does, with nothing.
    ///
    /// Anything else with a status of success is the page of some other server, such as the sign-in of a network.
    private static func ownTracksVerdict(on response: HTTPResponse, topic: String) -> DeliveryVerdict {
        if response.isSuccess {
            let body = response.body.withoutSpaces
            if body.isEmpty || body.first == UInt8(ascii: "[") && body.last == UInt8(ascii: "]") { return .taken }
            return .tryAgain(cause: "the answer is not that of an OwnTracks server", after: nil)
        }
        guard response.status == 400 else { return .ofStatus(response) }
        let name = VisibleText.of(topic)
        return .refused(
            cause: "the server answered with status 400; if it is Traccar, add a device with the identifier \(name)")
    }
}

extension [UInt8] {
    /// The bytes without the white space of JSON, inside strings too.
    var withoutSpaces: [UInt8] { filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
