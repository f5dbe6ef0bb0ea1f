import CCurl

/// libcurl's set of transfers.
///
/// `@unchecked`: all but `wake()` is called by the thread of the loop alone; libcurl allows `wake()` from any thread, and the
/// loop makes sure that none comes after `cleanUp()`.
struct CurlMulti: @unchecked Sendable {
    private let library: CurlLibrary
    private let handle: UnsafeMutableRawPointer

    init?(_ library: CurlLibrary) {
        guard let handle = locwatch_curl_multi_init(library.table) else { return nil }
        self.library = library
        self.handle = handle
    }

    func set(_ option: CURLMoption, _ value: Int) {
        _ = locwatch_curl_multi_setopt_long(library.table, handle, option, value)
    }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool {
        locwatch_curl_multi_add_handle(library.table, handle, easy) == CURLM_OK
    }

    func remove(_ easy: UnsafeMutableRawPointer) {
        _ = locwatch_curl_multi_remove_handle(library.table, handle, easy)
    }

    /// Does what the transfers can do without waiting.
    func perform() {
        _ = locwatch_curl_multi_perform(library.table, handle)
    }

    /// Waits until a transfer can continue or `wake()` is called; returns `false` if libcurl cannot wait, such as without memory.
    func wait(_ milliseconds: Int32) -> Bool {
        locwatch_curl_multi_poll(library.table, handle, milliseconds) == CURLM_OK
    }

    /// Ends the current wait, or the next one.
    func wake() {
        _ = locwatch_curl_multi_wakeup(library.table, handle)
    }

    /// Returns the next transfer that has ended and its result, if any.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        guard let easy = locwatch_curl_multi_next_ended(library.table, handle, &code) else { return nil }
        return (easy, code)
    }

    func cleanUp() {
        _ = locwatch_curl_multi_cleanup(library.table, handle)
    }
}
