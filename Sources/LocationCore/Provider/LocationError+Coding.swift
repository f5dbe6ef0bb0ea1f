/// The facts of an error: its form when encoded, without those that it does not have.
///
/// ```json
/// {"code": "deviceUnusable", "path": "/dev/ttyACM0", "fault": {"busy": {"holder": "ModemManager"}}}
/// ```
struct LocationErrorFacts: Codable {
    var code: LocationError.Code
    var host: String?
    var port: String?
    var address: String?
    /// The thing that is denied.
    var subject: String?
    var path: String?
    var line: Int?
    var known: [String]?
    var program: String?
    var package: String?
    var answer: String?
    var cause: String?
    var fault: LocationError.DeviceFault?
    var shortfall: LocationError.Shortfall?
}

extension LocationError: Codable {
    var facts: LocationErrorFacts {
        var facts = LocationErrorFacts(code: code)
        switch detail {
        case .unreachable(let host, let port, let cause), .unresolvable(let host, let port, let cause),
            .connectionLost(let host, let port, let cause):
            (facts.host, facts.port, facts.cause) = (host, port, cause)
        case .notGPSD(let host, let port, let answer):
            (facts.host, facts.port, facts.answer) = (host, port, answer)
        case .streamUnavailable(let address, let cause), .broker(let address, let cause):
            (facts.address, facts.cause) = (address, cause)
        case .denied(let what, let cause): (facts.subject, facts.cause) = (what, cause)
        case .daemon(let cause), .daemonUnavailable(let cause), .other(_, let cause): facts.cause = cause
        case .deviceUnknown(let path, let known): (facts.path, facts.known) = (path, known)
        case .deviceUnusable(let path, let fault): (facts.path, facts.fault) = (path, fault)
        case .unreadable(let path, let cause), .damaged(let path, let cause):
            (facts.path, facts.cause) = (path, cause)
        case .notASession(let path, let line, let cause): (facts.path, facts.line, facts.cause) = (path, line, cause)
        case .programMissing(let name, let package): (facts.program, facts.package) = (name, package)
        case .noFix(let shortfall): facts.shortfall = shortfall
        case .cancelled: break
        }
        return facts
    }

    /// Encodes the code and the facts that the error has.
    public func encode(to encoder: any Encoder) throws { try facts.encode(to: encoder) }

    /// Decodes an error; one whose code is not known here, or lacks a fact, keeps its code and its cause.
    public init(from decoder: any Decoder) throws {
        let facts = try LocationErrorFacts(from: decoder)
        self.init(facts.detail ?? .other(code: facts.code, message: facts.cause ?? ""))
    }
}

extension LocationErrorFacts {
    /// The case, or `nil` if the code is not known or lacks a fact.
    fileprivate var detail: LocationError.Detail? {
        switch code {
        case .unreachable:
            if let address, let cause { return .streamUnavailable(address: address, cause: cause) }
            if let host, let port, let cause { return .unreachable(host: host, port: port, cause: cause) }
        case .unresolvable:
            if let host, let port, let cause { return .unresolvable(host: host, port: port, cause: cause) }
        case .connectionLost:
            if let host, let port, let cause { return .connectionLost(host: host, port: port, cause: cause) }
        case .notGPSD: if let host, let port, let answer { return .notGPSD(host: host, port: port, answer: answer) }
        case .broker: if let address, let cause { return .broker(address: address, cause: cause) }
        case .denied: if let subject, let cause { return .denied(what: subject, cause: cause) }
        case .daemon: if let cause { return .daemon(message: cause) }
        case .daemonUnavailable: if let cause { return .daemonUnavailable(cause: cause) }
        case .deviceUnknown: if let path { return .deviceUnknown(path: path, known: known ?? []) }
        case .deviceUnusable: if let path, let fault { return .deviceUnusable(path: path, cause: fault) }
        case .unreadable: if let path, let cause { return .unreadable(path: path, cause: cause) }
        case .damaged: if let path, let cause { return .damaged(path: path, cause: cause) }
        case .notASession:
            if let path, let line, let cause { return .notASession(path: path, line: line, cause: cause) }
        case .programMissing: if let program, let package { return .programMissing(name: program, package: package) }
        case .noFix: if let shortfall { return .noFix(shortfall) }
        case .cancelled: return .cancelled
        default: break
        }
        return nil
    }
}
