import CGPSD
import LocwatchPlatform

/// The versions of libgps that this program was built with and runs with.
package enum LibgpsVersion {
    /// The release of the loaded library, such as `3.22`, if the library exports it.
    package static var library: String? { locwatch_gps_library_release().map { String(cString: $0) } }

    /// Whether the library is linked into the program, which then works with any release of gpsd.
    package static var isBuiltIn: Bool { locwatch_gps_library_release().map { StaticLinkage.contains($0) } ?? false }
}
