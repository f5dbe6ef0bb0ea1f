/// The version of locwatch.
package enum Version {
    package static let number = "0.5.0"
    /// The release date, shown in the manual page.
    package static let date = "2026-11-29"
}
