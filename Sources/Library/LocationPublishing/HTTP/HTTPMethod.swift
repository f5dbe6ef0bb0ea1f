/// The methods of HTTP requests.
public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    /// Reads a resource.
    case get = "GET"
    /// Reads the headers of a resource.
    case head = "HEAD"
    /// Sends data to a resource.
    case post = "POST"
    /// Stores data as a resource.
    case put = "PUT"
    /// Changes parts of a resource.
    case patch = "PATCH"
    /// Removes a resource.
    case delete = "DELETE"

    /// Whether a request with the method carries a body, which can be empty.
    package var carriesBody: Bool {
        switch self {
        case .get, .head: false
        case .post, .put, .patch, .delete: true
        }
    }
}
