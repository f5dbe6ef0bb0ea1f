extension ManualPage {
    /// Appends the usual causes of a missing position.
    static func noPosition(_ page: inout Roff) {
        page.section("NO POSITION")
        page.text("'locwatch doctor' finds the cause and says what to do. The usual causes are:")
        page.terms(causes)
    }

    private static let causes: [(term: String, meaning: String)] = [
        (
            "no gpsd at localhost:2947",
            "either gpsd is not installed (apt install gpsd), or it is not running (systemctl status gpsd.socket), or it runs on another "
                + "machine, where it accepts only local clients unless it was started with -G"
        ),
        (
            "no receiver",
            "name it in DEVICES of /etc/default/gpsd, or read it without the system's gpsd, as in "
                + "'locwatch /dev/ttyACM0'. Other users of the machine cannot read the position from the gpsd that this "
                + "command starts, unless that gpsd was built without socket activation; 'locwatch doctor /dev/ttyACM0' says "
                + "which one it is"
        ),
        (
            "permission denied",
            "your user may not open the receiver: run 'sudo usermod -aG dialout $USER', and log in again"
        ),
        (
            "no fix, 0 satellites used",
            "the receiver works, but its reception is too weak. Under an open sky a cold start takes between half a minute and several "
                + "minutes; indoors there may never be a fix. --sky shows the signals"
        ),
        (
            "nothing recognized, or a wrong speed",
            "some receivers need an explicit line speed, as in the SOURCE serial:/dev/ttyACM0?speed=9600"
        ),
        (
            "the receiver was unplugged and plugged in again",
            "restart gpsd (systemctl restart gpsd): by itself gpsd 3.22 can take 70 seconds to look at the receiver again"
        ),
        (
            "chrony has no sample of the receiver",
            "restart gpsd after chronyd, which makes the socket for the pulses: gpsd looks for it only when it opens the receiver"
        ),
    ]
}
