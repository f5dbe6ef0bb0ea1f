import LocationCore
import LocwatchPrinting

extension ManualPage {
    /// Appends the section about positions that are not to be believed.
    static func integrity(_ page: inout Roff) {
        page.section("INTEGRITY")
        page.text(
            "Each receiver is nominal, suspect or in alarm. One rule that objects makes it suspect; one that objects by far, or two "
                + "that are independent of each other, make an alarm. A reason stays for a minute after it was last observed, and "
                + "nothing is shown while a receiver is nominal. The rules are:")
        for (reason, code) in IntegrityReasons.named {
            page.term(Roff.bold(code))
            page.text(meaning(of: reason))
        }
        page.paragraph()
        page.text(
            "In an alarm, do not rely on the position or on the time of the receiver: navigate by other means, compare with a second "
                + "receiver or a known place, and keep a recording (record). Then look for the cause: shade the antenna from the side "
                + "of a possible transmitter, move some hundred metres, and compare the signals (--sky).")
        page.paragraph()
        page.text(
            "Only what the receiver reports can be judged. A transmitter that takes over slowly, with signals of usual strength and a "
                + "matching time and speed, looks like a journey. An attack that began before the session, or within the first "
                + "minute, looks like the usual state. A tunnel, a garage or a loose cable also weaken all signals. A gpsd of a "
                + "release up to 3.25 does not pass on the spoofing state of u-blox receivers, and corrects a date that is a "
                + "rollover too early by itself, as sim:rollover shows; sim:future shows the rule. For devices of a fleet the clock is not judged, because messages may be delayed."
        )
    }

    private static func meaning(of reason: IntegrityReasons) -> String {
        switch reason {
        case .jump:
            "The place changed by 100 m more than the speed, three times the errors and the time between explain, from one position to "
                + "the next, or over 10 or 60 seconds; 1 km more is an alarm, but not after a pause of more than ten seconds and in the "
                + "ten seconds that follow it, and not over 60 seconds. Over these times positions with errors beyond 100 m do not count, unless "
                + "they last for 30 seconds; then an error of at most 1 km is believed. In the ten seconds after its first position a receiver "
                + "may correct itself. Reflections between buildings can do that; spoofing begins so."
        case .teleport:
            "The place is 100 m and more beyond its errors from where the receiver stood still, ten minutes ago or longer, and no speed was "
                + "reported that explains it, however slowly it moved. A bad reception indoors can do that, too."
        case .clock:
            "The time of the receiver leapt, or walked away, by more than leap seconds explain; a receiver may correct it by 18 seconds "
                + "once in its first 25 minutes. Do not let it set a clock; compare with NTP. In a recording without times of arrival "
                + "nothing is known of that."
        case .rollover:
            "The date is a multiple of 1,024 weeks off. The firmware is too old for its week number; the message has the likely "
                + "date. The position is right."
        case .signal:
            "The signals of all satellites fell by 10 dB and more within seconds, or vanished while the receiver stood. A jammer, a "
                + "garage, or a fault of the antenna. Signals that stay low are observed for five minutes; then they are those of "
                + "the new place."
        case .uniform:
            "Eight or more satellites in use were equally strong, within 2 dB, for ten seconds, as those of a single transmitter "
                + "are. A laboratory's simulator is one."
        case .sky: "Most of the satellites in use changed within seconds while the receiver stood still."
        case .height:
            "The height changed by more than 350 m/s, or is more than 600 m below sea level."
        case .receiver:
            "The receiver reports interference, 50 above its lowest level and at least 100, or 200 of 255; or that its antenna is "
                + "short-circuited, or open after it was fine."
        case .disagreement:
            "Two receivers of one gpsd that agreed for a minute are apart by 100 m more than three times their errors. One of them is "
                + "wrong, or was carried away."
        default: ""
        }
    }
}
