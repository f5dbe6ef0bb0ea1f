import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession

@Suite struct AppArmorProfileTests {
    private let profile = AppArmorProfile(
        """
        /usr/sbin/gpsd flags=(attach_disconnected) {
          #include <abstractions/base>
          /dev/tty{,S,USB,AMA,ACM}[0-9]*    rw,
          /sys/dev/char/**  r,
          owner /dev/rfcomm* w,
          /dev/gpsd[0-9] rw,  # to share
          /srv/**/gps? rw,
          /dev/cu[^.]* rw,
          @{PROC}/@{pid}/fd/ r,
        }
        """)

    @Test(arguments: [
        ("/dev/ttyACM0", true), ("/dev/ttyS12", true), ("/dev/tty1", true), ("/dev/ttyX0", false),
        ("/dev/pts/3", false), ("/dev/ttyACM", false), ("/dev/rfcomm0", true), ("/dev/gpsd7", true),
        ("/dev/gpsd77", false), ("/sys/dev/char/4", false), ("/srv/a/b/gps1", true), ("/dev/ttyS1/x", false),
        ("/dev/cuU0", true), ("/dev/cu.0", false),
    ])
    func `the profile allows the paths that a rule makes writable`(path: String, isAllowed: Bool) {
        #expect(profile.allows(path) == isAllowed)
    }
}
