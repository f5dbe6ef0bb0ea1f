import LocationCore
public import LocationPublishing
import LocwatchSupport

/// The reaction of a scripted HTTP session to a request.
public struct ScriptedHTTPAnswer: Hashable, Sendable {
    /// The result, or `nil` if the request is never answered.
    let result: Result<HTTPResponse, HTTPError>?
    /// The time from the request to the answer, on the session's clock.
    public var responseTime: Duration

    /// Answers with a response.
    public static func response(_ response: HTTPResponse, after responseTime: Duration = .zero) -> Self {
        Self(result: .success(response), responseTime: responseTime)
    }

    /// Answers with a status, and with a text if one is given.
    public static func status(_ status: Int, _ text: String = "", after responseTime: Duration = .zero) -> Self {
        .response(HTTPResponse(status: status, body: Array(text.utf8)), after: responseTime)
    }

    /// Answers with the bytes of a file, which is read now.
    ///
    /// A relative path starts at the working directory, which for `swift test` is that of the package. The path of a resource of the
    /// tests is `Bundle.module.path(forResource:ofType:)`.
    ///
    /// - Throws: an error that names the file if it cannot be read, so that a test does not continue without its fixture.
    public static func file(
        _ path: String, status: Int = 200, contentType: String? = nil, headers: HTTPHeaders = HTTPHeaders(),
        after responseTime: Duration = .zero
    ) throws(HTTPError) -> Self {
        guard let body = FixtureFile.contents(of: path) else { throw .other(cause: "cannot read \(path)") }
        var headers = headers
        if let contentType { try headers.set("Content-Type", contentType) }
        return .response(HTTPResponse(status: status, headers: headers, body: body), after: responseTime)
    }

    /// Fails.
    public static func error(_ error: HTTPError, after responseTime: Duration = .zero) -> Self {
        Self(result: .failure(error), responseTime: responseTime)
    }

    /// Does not answer: the request ends when its time limit has passed on the session's clock, or when it is cancelled.
    public static let never = Self(result: nil, responseTime: .zero)
}

extension ScriptedHTTPAnswer: CustomStringConvertible {
    /// The status with the size of the body, or the failure, and the time of the answer if it is not at once.
    public var description: String {
        let time = responseTime == .zero ? "" : " after \(responseTime)"
        return switch result {
        case .success(let response)?: "\(response.status), \(response.body.count.counting("byte"))\(time)"
        case .failure(let error)?: "\(error)\(time)"
        case nil: "never"
        }
    }
}
