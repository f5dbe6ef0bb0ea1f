/// Which locwatch this is.
enum Version {
    static let number = "0.1.0"
    /// The day of the release, in the manual page.
    static let date = "2026-11-20"
    static let line = "locwatch \(number)\n"
}
