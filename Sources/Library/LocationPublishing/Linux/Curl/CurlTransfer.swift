import CCurl
import LocwatchPlatform

/// One request on its way, on the thread of its loop.
final class CurlTransfer {
    /// libcurl's name for a transfer.
    let easy: UnsafeMutableRawPointer
    let number: Int

    private let library: CurlLibrary
    private let multi: UnsafeMutableRawPointer
    private let request: HTTPRequest
    private let received: ReceivedResponse
    /// The buffers that libcurl reads and writes while the transfer lasts.
    private let body: UnsafeMutableBufferPointer<UInt8>
    private let message: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var hasEnded = false

    init(
        _ library: CurlLibrary, _ number: Int, _ request: HTTPRequest, _ options: CurlHTTPSession.Options,
        in multi: UnsafeMutableRawPointer, over sockets: CurlSockets
    ) throws(HTTPError) {
        try request.validate()
        guard let easy = library.functions.curl_easy_init() else { throw .other(cause: "libcurl has no memory") }
        self.easy = easy
        self.number = number
        self.library = library
        self.multi = multi
        self.request = request
        received = ReceivedResponse(sizeLimit: request.ownLimits.responseSize)
        // An empty body has an address too, because libcurl reads the body from standard input if the pointer is NULL.
        body = .allocate(capacity: max(1, request.body.count))
        _ = body.initialize(from: request.body)
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        do throws(HTTPError) {
            try prepare(options)
            try check(sockets.follow(easy, library))
            guard library.functions.curl_multi_add_handle(multi, easy) == CURLM_OK else {
                throw .other(cause: "libcurl has no memory")
            }
        } catch {
            end()
            throw error
        }
    }

    /// The number of bytes that the response may have with all that frames it, before decompression.
    var byteLimit: Int { request.ownLimits.responseSize + 2 * ReceivedResponse.headerLimit }

    deinit {
        end()
        body.deallocate()
        message.deallocate()
    }

    /// Takes the transfer out of the loop; an unfinished one loses its connection.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        _ = library.functions.curl_multi_remove_handle(multi, easy)
        library.functions.curl_easy_cleanup(easy)
        library.functions.curl_slist_free_all(headers)
    }

    // MARK: Settings

    private func prepare(_ options: CurlHTTPSession.Options) throws(HTTPError) {
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_URL, request.url.text)
        // A .netrc file of the user must not add credentials, and a redirect is an error.
        try set(CURLOPT_NETRC, false)
        try set(CURLOPT_FOLLOWLOCATION, false)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        // Signals belong to the program.
        try set(CURLOPT_NOSIGNAL, true)
        // A cancelled request does not wait for a name server. libcurl has the option since 7.87.
        try? set(CURLOPT_QUICK_EXIT, true)
        try set(CURLOPT_CONNECTTIMEOUT_MS, request.ownLimits.connectionTimeout.curlMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, request.ownLimits.timeout.curlMilliseconds)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if !options.usesEnvironmentProxy { try set(CURLOPT_PROXY, "") }
        try setTrust(options)
        try setMethod()
        try setSizeLimit()
        try setHeaders()
        try check(
            locwatch_curl_easy_setopt_pointer(library.table, easy, CURLOPT_ERRORBUFFER, message))
        // The response is owned by the transfer, which outlives libcurl's use of it.
        try check(
            locwatch_curl_easy_set_receivers(
                library.table, easy, receiveHeader, receiveBody, Unmanaged.passUnretained(received).toOpaque()))
    }

    private func setTrust(_ options: CurlHTTPSession.Options) throws(HTTPError) {
        try set(CURLOPT_SSL_VERIFYPEER, true)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = options.authorityFile {
            try set(CURLOPT_CAINFO, file)
            // Not the system's authorities beside it.
            try check(locwatch_curl_easy_setopt_text(library.table, easy, CURLOPT_CAPATH, nil))
        }
        if let file = options.certificateFile { try set(CURLOPT_SSLCERT, file) }
        if let file = options.keyFile { try set(CURLOPT_SSLKEY, file) }
    }

    private func setMethod() throws(HTTPError) {
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, true)
        case .head: try set(CURLOPT_NOBODY, true)
        case .post, .put, .patch, .delete:
            try set(CURLOPT_POST, true)
            try check(
                locwatch_curl_easy_setopt_offset(
                    library.table, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            try check(
                locwatch_curl_easy_setopt_pointer(library.table, easy, CURLOPT_POSTFIELDS, body.baseAddress))
            if request.method != .post { try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        }
    }

    private func setSizeLimit() throws(HTTPError) {
        // The length in the response to a HEAD is that of a body which does not come.
        guard request.method != .head else { return }
        let limit = curl_off_t(max(1, request.ownLimits.responseSize))
        try check(locwatch_curl_easy_setopt_offset(library.table, easy, CURLOPT_MAXFILESIZE_LARGE, limit))
    }

    private func setHeaders() throws(HTTPError) {
        // Without a value libcurl does not send the header at all: a large body must not wait for "100 Continue", which
        // many servers never send, and a body without a type must not be labelled as a form.
        var lines = ["Expect:"]
        if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        for field in request.headers.fields {
            // A semicolon instead of the colon stands for an empty value.
            lines.append(field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
        }
        for line in lines {
            guard let longer = library.functions.curl_slist_append(headers, line) else {
                throw .other(cause: "libcurl has no memory")
            }
            headers = longer
        }
        try check(locwatch_curl_easy_setopt_pointer(library.table, easy, CURLOPT_HTTPHEADER, headers))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(locwatch_curl_easy_setopt_long(library.table, easy, option, value))
    }

    private func set(_ option: CURLoption, _ isOn: Bool) throws(HTTPError) { try set(option, isOn ? 1 : 0) }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        try check(locwatch_curl_easy_setopt_text(library.table, easy, option, value))
    }

    /// A setting that the loaded release does not know could be one on which safety depends.
    private func check(_ code: CURLcode) throws(HTTPError) {
        guard code == CURLE_OK else { throw .other(cause: "this libcurl is too old: " + library.text(of: code)) }
    }

    // MARK: Results

    /// Returns the response, or the failure that libcurl's result and the limits stand for.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        if let excess = received.excess { return .failure(excess) }
        if code == CURLE_OK { return .success(received.response) }
        // Without an answer they stay 0.
        var (systemError, verification, connectionTime) = (0, 0, curl_off_t(0))
        _ = locwatch_curl_easy_getinfo_long(library.table, easy, CURLINFO_OS_ERRNO, &systemError)
        _ = locwatch_curl_easy_getinfo_long(library.table, easy, CURLINFO_SSL_VERIFYRESULT, &verification)
        _ = locwatch_curl_easy_getinfo_offset(library.table, easy, CURLINFO_PRETRANSFER_TIME_T, &connectionTime)
        let failure = CurlFailure(
            code: code, message: String(cString: message), text: library.text(of: code), systemError: systemError,
            verification: verification, isConnected: connectionTime > 0)
        return .failure(failure.error(for: request))
    }
}

extension Duration {
    /// The duration in milliseconds for libcurl, for which 0 means that there is no limit.
    fileprivate var curlMilliseconds: Int { max(1, Int(wholeMilliseconds)) }
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    receive(bytes, size * count, context) { $0.appendHeader($1) }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    receive(bytes, size * count, context) { $0.appendBody($1) }
}

/// Passes bytes on; returns their count, or what makes libcurl end the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ append: (ReceivedResponse, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context else { return Int(CURL_WRITEFUNC_ERROR) }
    // The context is the response of the transfer that libcurl serves now.
    let received = Unmanaged<ReceivedResponse>.fromOpaque(context).takeUnretainedValue()
    return append(received, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : Int(CURL_WRITEFUNC_ERROR)
}
