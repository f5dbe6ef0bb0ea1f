import LocationCore
import LocationPublishing
import LocationTransports
import LocwatchPlatform

extension TargetOptions {
    /// Creates the options that command line, configuration, files and variables give.
    init(_ settings: Settings, _ environment: [String: String]) throws(UsageError) {
        let publishing = settings.publishing
        self.init(
            hostName: HostName.current ?? "", version: Version.number,
            started: Timestamp(nanosecondsSince1970: HostClock.nanoseconds(.civil)))
        deviceName = publishing.deviceName
        trackerID = publishing.trackerID
        clientID = publishing.clientID
        discoveryPrefix = publishing.discoveryPrefix
        // The variable may be meant for another command, so it is only used if a target needs it.
        let needsPassword = publishing.targets.contains(where: \.namesUser)
        if needsPassword || publishing.passwordFile != nil {
            password = try PublishSecrets.password(publishing.passwordFile, environment)
        }
        authorityFile = publishing.authorityFile
        certificateFile = publishing.certificateFile
        keyFile = publishing.keyFile
        headers = try Self.headers(publishing)
        method = publishing.method
        body = publishing.body
        if let interval = settings.interval ?? publishing.heartbeat, interval > .zero { positionInterval = interval }
        switch publishing.backlogRate {
        case .unlimited: backlogRate = nil
        case .perSecond(let rate): backlogRate = Double(rate)
        case nil: break
        }
        sendsBacklog = publishing.sendsBacklog
        skipsRejected = publishing.skipsRejected
    }

    private static func headers(_ settings: PublishSettings) throws(UsageError) -> HTTPHeaders? {
        guard !settings.headers.isEmpty else { return nil }
        var headers = HTTPHeaders()
        for field in settings.headers {
            do throws(HTTPError) {
                try headers.set(field.name, field.value)
            } catch {
                throw UsageError("the header \(field.name.printable) cannot be sent")
            }
        }
        return headers
    }
}

extension TargetWord {
    /// Whether the word names a user who signs in, or its target takes a token.
    var namesUser: Bool {
        switch kind {
        case .ownTracks(let broker, _), .json(let broker, _), .homeAssistant(let broker): broker.user != nil
        case .ownTracksHTTP(_, let login, _, _), .webhook(_, let login): login != nil
        case .overland: true
        case .traccar, .nmeaDatagrams, .nmeaListener, .cursorOnTarget: false
        }
    }
}
