import Foundation
import TestSupport
import Testing

/// The removal of the Debian package.
@Suite(.serialized, .withFew) struct PackageRemovalTests {
    @Test func `the removal disables the services, and leaves the empty folders of other packages`() throws {
        let root = try Scratch()
        let units = "etc/systemd/system"
        for folder in ["multi-user.target.wants", "web.target.wants", "empty.target.wants"] {
            try FileManager.default.createDirectory(
                atPath: root.path("\(units)/\(folder)"), withIntermediateDirectories: true)
        }
        for link in [
            "multi-user.target.wants/locwatch-web.service", "multi-user.target.wants/ssh.service",
            "web.target.wants/locwatch-publish@home.service", "web.target.wants/locwatch-publish@a b.service",
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: root.path("\(units)/\(link)"), withDestinationPath: "/usr/lib/systemd/system/x.service")
        }
        let script = Locwatch.package.appending(path: "debian/locwatch.postrm").path
        let removal = try Tool("env", ["DPKG_ROOT=\(root.path("."))", "sh", script, "remove"])
        #expect(removal.status == 0, "\(removal.errors)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: root.path(units)).sorted()
        #expect(left == ["empty.target.wants", "multi-user.target.wants", "multi-user.target.wants/ssh.service"])
    }
}
