/// The version of locwatch.
enum Version {
    static let number = "0.2.0"
    /// The release date, shown in the manual page.
    static let date = "2026-11-21"
}
