import CCurl

/// libcurl's set of transfers.
///
/// `@unchecked`: all but `wake()` is called by the thread of the loop alone; libcurl allows `wake()` from any thread, and the
/// loop makes sure that none comes after `cleanUp()`.
struct CurlMulti: @unchecked Sendable {
    private let library: CurlLibrary
    private let handle: UnsafeMutableRawPointer

    init?(_ library: CurlLibrary) {
        guard let handle = library.functions.curl_multi_init() else { return nil }
        self.library = library
        self.handle = handle
    }

    func set(_ option: CURLMoption, _ value: Int) {
        _ = locwatch_curl_multi_setopt_long(library.table, handle, option, value)
    }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool {
        library.functions.curl_multi_add_handle(handle, easy) == CURLM_OK
    }

    func remove(_ easy: UnsafeMutableRawPointer) {
        _ = library.functions.curl_multi_remove_handle(handle, easy)
    }

    /// Does what the transfers can do without waiting.
    func perform() {
        var running: Int32 = 0
        _ = library.functions.curl_multi_perform(handle, &running)
    }

    /// Waits until a transfer can continue or `wake()` is called; returns `false` if libcurl cannot wait, such as without memory.
    func wait(_ milliseconds: Int32) -> Bool {
        library.functions.curl_multi_poll(handle, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// Ends the current wait, or the next one.
    func wake() {
        _ = library.functions.curl_multi_wakeup(handle)
    }

    /// Returns the next transfer that has ended and its result, if any.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        guard let easy = locwatch_curl_multi_next_ended(library.table, handle, &code) else { return nil }
        return (easy, code)
    }

    func cleanUp() {
        _ = library.functions.curl_multi_cleanup(handle)
    }
}
