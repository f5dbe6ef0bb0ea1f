import LocationGPSD
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

struct ProgramTests {
    private static let version = "locwatch 0.2.0" + (LibgpsVersion.library.map { " (libgps \($0))" } ?? "") + "\n"

    @Test(arguments: [
        (["help"], HelpTopic.overview.text), (["--help"], HelpTopic.overview.text),
        (["once", "-h"], HelpTopic.command(CommandName("once")).text), (["help", "schema"], HelpTopic.schema.text),
        (["help", "manual"], HelpTopic.manual.text), (["version"], version), (["-V"], version),
        (["completions", "bash"], Shell.bash.completions),
    ])
    func `the program prints information on standard output and exits with 0`(arguments: [String], text: String)
        async throws
    {
        let result = try await CommandTrial().run(arguments)
        #expect(result.status == 0)
        #expect(result.output == text)
        #expect(result.errors == "")
    }

    @Test func `a usage error is printed on standard error and exits with 64`() async throws {
        let result = try await CommandTrial().run("once --timeuot 5s")
        #expect(result.status == 64)
        #expect(result.output == "")
        #expect(
            result.errors == "locwatch: unknown option --timeuot; did you mean --timeout?\n"
                + "locwatch: see 'locwatch help once'\n")
    }

    @Test func `the program reads the environment variables`() async throws {
        let result = try await CommandTrial(environment: ["LOCWATCH_UNITS": "feet"]).run([])
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("locwatch: invalid value \"feet\" for LOCWATCH_UNITS"))
    }
}
