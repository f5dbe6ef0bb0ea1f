extension ManualPage {
    /// Appends the section about tests of programs that read gpsd.
    static func testing(_ page: inout Roff) {
        page.section("TESTING PROGRAMS THAT READ GPSD")
        page.text(FaultHelp.introduction)
        page.paragraph()
        page.text("The faults of --fault and of the word fault are:")
        page.terms(FaultHelp.faults)
        page.paragraph()
        page.text(FaultHelp.rule)
        page.paragraph()
        page.text("The words of a script and of control are:")
        page.terms(FaultHelp.words)
        for paragraph in [FaultHelp.script, FaultHelp.control] {
            page.paragraph()
            page.text(paragraph)
        }
    }
}
