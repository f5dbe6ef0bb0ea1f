package import LocationCore

extension TargetScheme {
    /// OwnTracks over HTTP, whose query can name the user and the device.
    static let ownTracksHTTP = pair(
        ("owntracks+http", "OwnTracks over HTTP"), encrypted: ("owntracks+https", "OwnTracks over HTTPS"),
        form: "[USER@]HOST[:PORT]/PATH[?u=USER&d=DEVICE]", access: .user, parameters: [.tracker]
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
                    try OwnTracksHTTPTarget(
                        url, device: device, trackerID: parts.value(of: .tracker), started: target.options.started,
                        headers: headers))
            }
        }
    }
}

/// An encoder of records for OwnTracks over HTTP: the Recorder, Traccar, Home Assistant, Dawarich and others.
package struct OwnTracksHTTPTarget: HTTPTarget, Hashable {
    package let device: OwnTracksDevice
    package let trackerID: String
    private let url: HTTPURL
    private let headers: HTTPHeaders
    private let started: Timestamp
    private var seconds = OnePerSecond()

    package init(
        _ url: HTTPURL, device: OwnTracksDevice, trackerID: String? = nil, started: Timestamp,
        headers: HTTPHeaders = HTTPHeaders()
    ) throws(HTTPError) {
        self.url = url
        self.device = device
        self.trackerID = trackerID ?? device.trackerID
        self.started = started
        var headers = headers
        try headers.set("Content-Type", "application/json")
        try headers.set("X-Limit-U", device.user)
        try headers.set("X-Limit-D", device.device)
        self.headers = headers
    }

    /// Returns the request for the first of the records that has a message.
    package mutating func request(for records: [PublishRecord]) -> HTTPRequest? {
        for record in records {
            let topic = device.topic.name
            let event = device.eventTopic
            if let body = OwnTracksMessage.transition(record, trackerID: trackerID, defined: started, topic: event) {
                return HTTPRequest(.post, url, headers: headers, body: body)
            }
            if let body = OwnTracksMessage.location(record, trackerID: trackerID, topic: topic),
                seconds.admits(record, isOld: false)
            {
                return HTTPRequest(.post, url, headers: headers, body: body)
            }
        }
        return nil
    }

    /// Returns what a response means: a server of OwnTracks answers with a list, or, as Traccar does, with nothing.
    ///
    /// Anything else with a status of success is the page of some other server, such as the sign-in of a network.
    package func verdict(on response: HTTPResponse) -> DeliveryVerdict {
        if response.isSuccess {
            let body = response.body.withoutSpaces
            if body.isEmpty || body.first == UInt8(ascii: "[") && body.last == UInt8(ascii: "]") { return .taken }
            return .tryAgain(cause: "the answer is not that of an OwnTracks server", after: nil)
        }
        guard response.status == 400 else { return .ofStatus(response) }
        let name = VisibleText.of(device.topic.name)
        return .refused(
            cause: "the server answered with status 400; if it is Traccar, add a device with the identifier \(name)")
    }
}

extension [UInt8] {
    /// The bytes without the white space of JSON, inside strings too.
    var withoutSpaces: [UInt8] { filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
