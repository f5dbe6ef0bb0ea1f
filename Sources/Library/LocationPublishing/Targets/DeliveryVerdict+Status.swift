extension DeliveryVerdict {
    /// Returns the verdict that follows from a response's status alone.
    ///
    /// Overload and failures of the server are temporary, and so is every status that asks for another attempt. Some statuses are
    /// about the content of the request alone. Any other status than success is a refusal of all records.
    package static func ofStatus(_ response: HTTPResponse) -> DeliveryVerdict {
        switch response.status {
        case 200..<300: .taken
        case 408, 425, 429, 500..<600:
            .tryAgain(cause: "the server answered with status \(response.status)", after: response.retryDelay)
        case 400, 413, 422: .rejected(cause: "the server answered with status \(response.status)")
        default: .refused(cause: "the server answered with status \(response.status)")
        }
    }
}

extension HTTPResponse {
    /// The number of seconds in the header `Retry-After`; a date there is ignored.
    var retryDelay: Duration? {
        guard let text = headers["Retry-After"], let seconds = UInt32(text) else { return nil }
        return .seconds(seconds)
    }
}
