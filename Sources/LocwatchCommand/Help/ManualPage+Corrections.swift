extension ManualPage {
    /// Appends how a receiver gets corrections, and what it means that gpsd writes to it.
    static func corrections(_ page: inout Roff) {
        page.section("CORRECTIONS")
        page.text(
            "With ?corrections=URL in the SOURCE a serial receiver that has RTK gets corrections, and its error falls from metres to decimetres (RTK "
                + "float) and centimetres (RTK fixed). They are messages of RTCM 3, as a caster sends them over NTRIP, a base over TCP, "
                + "or another program into a named pipe; a file is none, because corrections are of use for seconds only. The "
                + "quality of a position, the age of its corrections and the number of the reference station are in each format of "
                + "watch, in monitor, on the page of web, and in metrics (locwatch_fix_status, locwatch_correction_age_seconds, "
                + "locwatch_correction_station, locwatch_corrections_arriving).")
        page.paragraph()
        page.text(
            "The private gpsd of the receiver then starts without -b: it writes the corrections to the receiver, and the short "
                + "questions by which it recognizes receivers, some of which a few old receivers take for commands. Its option -p "
                + "keeps it from changing a receiver that it has recognized. The first position takes up to ten seconds longer, because gpsd "
                + "tries several kinds of receivers first. Without corrections nothing is written to a receiver."
        )
        page.paragraph()
        page.text(
            "locwatch itself connects to the caster, because gpsd does not read the receiver while it connects. It passes on whole "
                + "messages with a right checksum and the number of a correction (1001 to 1230 without the text 1029, and 4072, 4073 and "
                + "4076 of u-blox, Mitsubishi Electric and the IGS), over a pipe that only the user can open; gpsd has no connection, and "
                + "the password is known to locwatch and the caster alone. A caster gets the position only if its table says "
                + "that it computes corrections for one.")
        page.paragraph()
        page.text(
            "A message that has the beginning of a manufacturer's sentence in it, $P and three letters, such as $PMTK, is not "
                + "passed on. The content of a correction is not examined further: a receiver that does not know RTCM 3 can take a part of one for a "
                + "command of its binary protocol, so give corrections to a receiver with RTK only, and from a caster that you trust."
        )
        page.paragraph()
        page.text(
            "While no corrections arrive, positions continue with the quality that the receiver reports, and locwatch tries again "
                + "after pauses of up to 30 s. A notice says so once, with the cause: the name of the host, the connection, the password, "
                + "the mountpoint, silence (after 12 s), or something other than corrections in RTCM 3. 'locwatch doctor SOURCE?corrections=URL' "
                + "checks each, and whether the receiver uses what arrives. RTCM 2, TLS and casters that speak only the second "
                + "version of NTRIP are not supported.")
        page.paragraph()
        page.text(
            "gpsd 3.22 estimates the error of a receiver that sends the usual NMEA sentences by the geometry of its satellites, so that "
                + "the error shown for RTK is that of an ordinary fix; a receiver with a binary protocol, such as u-blox, reports its own, "
                + "as does sim:rtk, by the NMEA sentences PGRME, PSRFEPE and GBS.")
        page.paragraph()
        page.text(
            "The password is LOCWATCH_PASSWORD or that of --password-file. It cannot be for the caster and for a TARGET at once. A "
                + "gpsd that runs already is given its caster by itself, with gpsdctl or on its command line.")
    }
}
