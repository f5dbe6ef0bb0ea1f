extension ManualPage {
    /// Appends the ways to the programs of a desktop.
    static func desktop(_ page: inout Roff) {
        page.section("DESKTOP")
        page.text(
            "Programs of a desktop, such as maps, ask GeoClue for the position. GeoClue 2.6 and later read NMEA from a Unix socket. "
                + "In four steps:")
        for (number, step) in steps.enumerated() {
            page.term("\(number + 1).")
            page.text(step)
        }
        page.paragraph()
        page.text(
            "Without nmea-socket GeoClue looks for services of the type _nmea-0183._tcp, which Avahi announces: copy the example "
                + "locwatch-nmea.service of the package to /etc/avahi/services, and publish to tcp-listen://0.0.0.0:10110. GeoClue "
                + "connects to the address that Avahi announces, so loopback is not enough, and the whole network can read the position."
        )
        page.paragraph()
        page.text(
            "GeoClue makes the accuracy of the HDOP in steps: up to 1 it is 0 m, up to 2 it is 1 m, up to 5 it is 3 m, up to 10 it is "
                + "50 m, up to 20 it is 100 m, and else 300 m. It does not read the errors in metres that are sent too."
        )
    }

    private static let steps = [
        "Write below [network-nmea] in /etc/geoclue/geoclue.conf: nmea-socket=/run/locwatch-publish/desktop/nmea.sock",
        "Write to /etc/locwatch/desktop.conf: to unix-listen:/run/locwatch-publish/desktop/nmea.sock?mode=666",
        "Start both: systemctl enable --now locwatch-publish@desktop && systemctl restart geoclue",
        "Check each part of the way: locwatch doctor geoclue",
    ]
}
