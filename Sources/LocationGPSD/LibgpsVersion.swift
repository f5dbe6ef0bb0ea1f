import CGPSD
import Platform

/// The libgps that this program was built with and the one that it runs with.
package enum LibgpsVersion {
    /// The API version of the header, as (major, minor).
    static var header: (major: Int, minor: Int) {
        (Int(locwatch_gps_api_major()), Int(locwatch_gps_api_minor()))
    }

    /// The release of the library that is loaded, such as `3.22`, where it tells.
    package static var library: String? { locwatch_gps_library_release().map { String(cString: $0) } }

    /// Whether the library is a part of the program, which then runs beside any release of gpsd.
    package static var isBuiltIn: Bool { locwatch_gps_library_release().map { ProgramImage.holds($0) } ?? false }
}
