import LocationCore
import LocationPublishing
import LocwatchPlatform
import LocwatchSession
import LocwatchSupport
import LocwatchTerminal

/// A test of the way to an HTTP server by a HEAD request without a position.
struct ServerProbe {
    let target: PreparedTarget
    let encoder: HTTPTarget
    let limit: Duration

    /// Sends the request on the caller's thread and returns the checks of its outcome.
    func checks() -> [Check<Void>] {
        guard var request else { return [] }
        var limits = target.limits
        limits.timeout = min(limits.timeout, limit)
        // With less time for the connection, an error says whether the server was reached.
        limits.connectionTimeout = min(limits.connectionTimeout, limit * 2 / 3)
        request.limits = limits
        do throws(HTTPError) {
            return checks(of: request.url, try response(to: request))
        } catch {
            return [Check(error.check, error.finding)]
        }
    }

    /// The request for a position, without the position.
    private var request: HTTPRequest? {
        let nowhere = Location(coordinate: Coordinate(latitude: 0, longitude: 0), fix: .twoD)
        let record = PublishRecord(.manual, created: Timestamp(nanosecondsSince1970: 0), location: nowhere)
        guard var request = encoder.request(for: [record]) else { return nil }
        request.method = .head
        request.body = []
        request.url = request.url.withoutQuery
        return request
    }

    private func response(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        let session = try CurlHTTPSession(CurlHTTPSession.Options(target.encryption))
        let arrival: Event
        do throws(SystemFailure) { arrival = try Event() } catch { throw .other(cause: "\(error)") }
        let outcome = Lock<Result<HTTPResponse, HTTPError>?>(nil)
        _ = session.start(request) { result in
            outcome.withLock { $0 = result }
            arrival.happen()
        }
        // A session that is released cancels its requests.
        withExtendedLifetime(session) { arrival.wait() }
        guard let result = outcome.withLock({ $0 }) else { throw .cancelled }
        return try result.get()
    }

    private func checks(of url: HTTPURL, _ response: HTTPResponse) -> [Check<Void>] {
        let encryption = Check(.encryption, .ok("the certificate is valid for \(url.host)"))
        return [Check(.connection, .ok("connected to \(url.host)"))] + (url.scheme == .https ? [encryption] : [])
            + [Check(.server, Self.server(response.status, advice: encoder.advice))]
    }

    /// Returns what an answer with a status says about the server.
    static func server(_ status: Int, advice: String?) -> Finding {
        switch status {
        case 300..<400:
            .fault(
                .unavailable, "the server answers \(status)",
                why: "it redirects, which 'publish' does not follow: another page could take a position for nothing",
                remedy: "use the address to which 'curl -I' says it redirects")
        case 401, 403, 407:
            .fault(
                .denied, "the server answers \(status)", why: "it refuses the user, the password or the token",
                remedy: "check the user in the target, --password-file and --header")
        case 429:
            .remark(
                "the server answers 429", why: "it takes no more requests for now",
                remedy: "send less often, with --interval; publish tries again later")
        case 405: .ok("the server answers 405: it takes no HEAD request" + (advice.map { "; \($0)" } ?? ""))
        case 404, 410:
            .remark(
                "the server answers \(status)", why: "nothing is at this path, or only for a request with a position",
                remedy: "check the path of the target")
        case 400..<500:
            .remark(
                "the server answers \(status)",
                why: "it refuses the request, perhaps because there is no position in it",
                remedy: "see what it says to a position: locwatch once --to TARGET")
        case 500...:
            .remark(
                "the server answers \(status)", why: "it has a problem of its own, or takes no HEAD request",
                remedy: "see the log of the server; publish tries again until it works")
        default: .ok("the server answers \(status)" + (advice.map { "; \($0)" } ?? ""))
        }
    }
}
