import CMicrohttpd

// libmicrohttpd calls these functions within `MHD_run` and `MHD_stop_daemon` only, so the server exists.

private func webServer(_ context: UnsafeMutableRawPointer?) -> WebServer? {
    context.map { Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
}

/// Answers a request; see `MHD_AccessHandlerCallback`.
func answerWebRequest(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ content: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = webServer(context), let connection, let path, let method, let request else {
        return locwatch_MHD_no
    }
    // The first call comes when the headers are complete, and the next one when the request is.
    let isComplete = request.pointee != nil
    request.pointee = context
    return server.respond(
        to: connection, method: String(cString: method), path: String(cString: path), isComplete: isComplete)
}

/// Notes the end of a request; see `MHD_RequestCompletedCallback`.
func webRequestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    if let connection { webServer(context)?.noteEnd(ofRequestOf: connection) }
}

/// Notes the start or the end of a connection; see `MHD_NotifyConnectionCallback`.
func webConnectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    if let connection { webServer(context)?.note(connection, hasStarted: change == locwatch_MHD_started) }
}

/// Delivers events to a reader; see `MHD_ContentReaderCallback`.
func readWebEvents(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context, let buffer else { return locwatch_MHD_end_of_stream }
    let reader = Unmanaged<EventReader>.fromOpaque(context).takeUnretainedValue()
    return buffer.withMemoryRebound(to: UInt8.self, capacity: size) { bytes in
        reader.server?.read(reader, into: UnsafeMutableBufferPointer(start: bytes, count: size))
            ?? locwatch_MHD_end_of_stream
    }
}

/// Releases a reader; see `MHD_ContentReaderFreeCallback`.
func releaseWebReader(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<EventReader>.fromOpaque(context).release() }
}

/// Delivers a block of a long response; see `MHD_ContentReaderCallback`.
func readWebBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context, let buffer else { return locwatch_MHD_broken_stream }
    let body = Unmanaged<LongBody>.fromOpaque(context).takeUnretainedValue()
    return buffer.withMemoryRebound(to: UInt8.self, capacity: size) { bytes in
        body.read(at: Int(clamping: position), into: UnsafeMutableBufferPointer(start: bytes, count: size))
    }
}

/// Releases a long response; see `MHD_ContentReaderFreeCallback`.
func releaseWebBody(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<LongBody>.fromOpaque(context).release() }
}

/// libmicrohttpd, loaded into the process.
struct MicrohttpdLibrary {
    /// The name by which the dynamic linker finds libmicrohttpd's stable interface.
    static let soname = "libmicrohttpd.so.12"
    /// The Debian package with it.
    static let package = "libmicrohttpd12"

    let table: UnsafePointer<locwatch_microhttpd>
    var functions: locwatch_microhttpd { table.pointee }

    /// Loads the library, or returns `nil` if it is missing.
    init?(_ soname: String = MicrohttpdLibrary.soname) {
        guard let table = locwatch_microhttpd_open(soname) else { return nil }
        self.table = table
    }
}
