import Foundation
import LocationPublishing
import LocwatchPrinting
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

@Suite(.serialized, .alone) struct PublishServiceTests {
    @Test(arguments: [
        nil, "boat.conf", "/etc/other/boat.conf", "/etc/locwatch/boat", "/etc/locwatch/.conf", "/etc/locwatch/a/b.conf",
    ])
    func `another configuration belongs to no service`(path: String?) {
        #expect(PublishService(configuration: path) == nil)
    }

    @Test func `a configuration is shown with the queue and the user of its service`() async throws {
        let service = try #require(PublishService(configuration: "/etc/locwatch/boat.conf"))
        #expect(service.rows.first?.meaning.hasPrefix("locwatch-publish@boat, as the user locwatch-publish") == true)
        let settings = service.completed(Settings())
        #expect(settings.publishing.queueFolder == "/var/lib/locwatch-publish/boat/queue")
        #expect(settings.publishing.passwordFile == nil)
    }

    @Test func `the password is that of the file beside the configuration, and of no variable`() throws {
        let scratch = try Scratch()
        let folder = scratch.url.resolvingSymlinksInPath().path
        try scratch.write("", to: "boat.conf")
        try scratch.write("secret\n", to: "boat.password")
        let service = try #require(PublishService(configuration: "\(folder)/./boat.conf", folder: folder))
        #expect(service.completed(Settings()).publishing.passwordFile == "\(folder)/boat.password")
        var named = Settings()
        named.publishing.passwordFile = "password"
        #expect(service.completed(named).publishing.passwordFile == "\(folder)/boat.password")
        #expect(service.environment(["LOCWATCH_PASSWORD": "x", "LANG": "C"]) == ["LANG": "C"])
    }

    @Test func `files that the service cannot read are named`() throws {
        let service = try #require(PublishService(configuration: "/etc/locwatch/boat.conf"))
        var settings = PublishSettings()
        settings.passwordFile = "/etc/locwatch/other.password"
        settings.targets = [try TargetWord("mqtts://h/a?ca-file=authority.pem&cert=/home/anna/boat.pem")]
        #expect(
            service.warnings(settings) == [
                "the service cannot read authority.pem: its path must begin with a slash",
                "the service cannot read /home/anna/boat.pem: the unit hides /home/",
                "the service cannot read /etc/locwatch/other.password: put the password into /etc/locwatch/boat.password",
            ])
        settings = PublishSettings()
        settings.targets = [try TargetWord("mqtts://h/a?ca-file=/etc/passwd&cert=/etc/passwd,/etc/shadow")]
        #expect(service.warnings(settings) == ["the service cannot read /etc/shadow: only its owner can"])
    }
}

@Suite(.serialized, .alone) struct JournalTests {
    @Test func `the journal gets the level of each line, whole lines, and the name of the program once`() async throws {
        let file = try MemoryFile()
        var status = stat()
        #expect(fstat(file.descriptor, &status) == 0)
        let console = Console(
            output: file.descriptor, error: file.descriptor,
            environment: ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"])
        console.say("locwatch: a target is away\nlocwatch: see 'locwatch help'\n")
        console.say("locwatch: sent\n", .information)
        console.say("broken\n", .error)
        #expect(file.text == "<4>a target is away\n<4>see 'locwatch help'\n<6>sent\n<3>broken\n")
        let other = Console(output: file.descriptor, error: file.descriptor, environment: ["JOURNAL_STREAM": "1:2"])
        other.say("locwatch: text\n")
        #expect(file.text.hasSuffix("<3>broken\nlocwatch: text\n"))
    }
}
