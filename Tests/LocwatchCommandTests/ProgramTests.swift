import Foundation
import Testing

@testable import LocwatchCommand

struct ProgramTests {
    @Test(arguments: [
        (["help"], HelpTopic.overview.text), (["--help"], HelpTopic.overview.text),
        (["once", "-h"], HelpTopic.command(CommandName("once")).text), (["help", "schema"], HelpTopic.schema.text),
        (["help", "manual"], HelpTopic.manual.text), (["version"], "locwatch 0.1.0\n"), (["-V"], "locwatch 0.1.0\n"),
        (["completions", "bash"], Shell.bash.completions),
    ])
    func `the program answers on standard output and exits with 0`(arguments: [String], text: String) throws {
        let tool = try Tool(Tool.built("locwatch"), arguments)
        #expect(tool.status == 0)
        #expect(tool.output == text)
        #expect(tool.errors == "")
    }

    @Test func `a mistake is told on standard error and exits with 64`() throws {
        let tool = try Tool(Tool.built("locwatch"), ["once", "--timeuot", "5s"])
        #expect(tool.status == 64)
        #expect(tool.output == "")
        #expect(
            tool.errors == "locwatch: there is no option --timeuot; did you mean --timeout?\n"
                + "locwatch: see 'locwatch help once'\n")
    }

    @Test func `help that cannot be written exits with 74`() throws {
        let tool = try Tool("bash", ["-c", "\"$1\" help >/dev/full", "bash", Tool.built("locwatch")])
        #expect(tool.status == 74)
    }

    @Test func `variables of the environment are read`() throws {
        let tool = try Tool(Tool.built("locwatch"), [], environment: ["LOCWATCH_UNITS": "feet"])
        #expect(tool.status == 64)
        #expect(tool.errors.hasPrefix("locwatch: LOCWATCH_UNITS: \"feet\" will not do"))
    }
}
