import Glibc
import LocationPublishing
import LocwatchPlatform
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

private func parse(
    _ line: String, _ text: String, environment: [String: String] = [:]
) throws -> Invocation {
    try Invocation.parse(
        line.split(separator: " ").map(String.init), environment: environment, exists: { _ in false },
        read: { (path) throws(SystemFailure) in
            guard path == "boat.conf" else { throw SystemFailure("read", code: ENOENT) }
            return text
        })
}

private func message(_ line: String, _ text: String) -> String? {
    do {
        _ = try parse(line, text)
        return nil
    } catch {
        return (error as? UsageError)?.message
    }
}

struct ConfigurationFileTests {
    private static let boat = """
        # Where to publish
        to mqtt://broker.example/owntracks/anna/boat
          to\ttraccar://demo.example?id=boat\r

        source /dev/ttyACM0
        --interval 10s
        no-backlog
        body {"lat": %{lat}, "note": "a b"}
        """

    @Test func `a configuration gives targets, the source and options`() throws {
        let invocation = try parse("publish --config boat.conf", Self.boat)
        let settings = invocation.settings
        #expect(
            settings.publishing.targets.map(\.description) == [
                "mqtt://broker.example/owntracks/anna/boat", "traccar://demo.example?…",
            ])
        #expect(invocation.source == .serial(path: "/dev/ttyACM0", speed: nil))
        #expect(settings.interval == .seconds(10))
        #expect(!settings.publishing.options.sendsBacklog)
        #expect(settings.publishing.options.body != nil)
    }

    @Test func `an option overrides the configuration, and targets are added`() throws {
        let invocation = try parse(
            "publish --config boat.conf udp://127.0.0.1:10110 pi -i 1s --to tcp-listen://:10110", Self.boat)
        #expect(invocation.settings.interval == .seconds(1))
        #expect(invocation.source.description == "gpsd://pi:2947")
        #expect(
            invocation.settings.publishing.targets.map(\.description) == [
                "udp://127.0.0.1:10110", "mqtt://broker.example/owntracks/anna/boat", "traccar://demo.example?…",
                "tcp-listen://:10110",
            ])
    }

    @Test func `a variable overrides the configuration`() throws {
        let invocation = try parse(
            "publish --config boat.conf", Self.boat,
            environment: ["LOCWATCH_INTERVAL": "5s", "LOCWATCH_SOURCE": "sim:walk"])
        #expect(invocation.settings.interval == .seconds(5))
        #expect(invocation.source.description == "sim:walk")
    }

    @Test func `a single word beside a target of the configuration is the source`() throws {
        let invocation = try parse("publish --config boat.conf pi", Self.boat)
        #expect(invocation.source.description == "gpsd://pi:2947")
    }

    @Test(arguments: [
        ("intervall 10s", "boat.conf, line 1: unknown option \"intervall\"; did you mean interval?"),
        ("\n\nto", "boat.conf, line 3: to needs a value: TARGET"),
        ("no-queue yes", "boat.conf, line 1: no-queue takes no value"),
        ("source", "boat.conf, line 1: source needs a SOURCE"),
        ("interval soon", "invalid value \"soon\" for interval (boat.conf, line 1)"),
        ("config other.conf", "boat.conf, line 1: unknown option \"config\""),
        ("plot", "boat.conf, line 1: unknown option \"plot\""),
        ("\u{1B}[2J", "boat.conf, line 1: unknown option \"\\x1b[2J\""),
    ])
    func `an error names the file and the line`(text: String, expected: String) {
        #expect(message("publish udp://127.0.0.1:1 --config boat.conf", text)?.hasPrefix(expected) == true)
    }

    @Test func `a password in a target of the configuration is not repeated in the message`() {
        let found = message("publish --config boat.conf", "to mqtt://anna:secret@broker.example/owntracks/anna/boat")
        #expect(found?.contains("a password must not be in it") == true)
        #expect(found?.contains("secret") == false)
    }

    @Test func `a header that cannot be sent is not repeated in the message`() {
        let found = message("publish https://host.example --header Token\u{1}", "")
        #expect(found?.hasPrefix("invalid --header: expected a name, a colon and a value") == true)
    }

    @Test func `a missing configuration is named`() {
        #expect(message("publish --config other.conf", "") == "cannot read other.conf: No such file or directory")
    }

    @Test(arguments: [
        ("publish", "publish needs a TARGET: locwatch publish [OPTIONS] TARGET [SOURCE]"),
        ("publish pi", "invalid TARGET: it must begin with one of mqtt://"),
        ("publish smtp://host", "invalid TARGET: unknown scheme smtp"),
        ("publish udp://127.0.0.1:1 pi more", "unexpected argument \"more\""),
        ("publish udp://127.0.0.1:1 mqtt://broker/#", "publish sends the position of this machine, and mqtt://broker"),
    ])
    func `a wrong target is explained`(line: String, expected: String) {
        #expect(message(line, "")?.hasPrefix(expected) == true)
    }
}
