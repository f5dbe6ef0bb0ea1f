import Glibc

/// The subcommands of `locwatch-dev`, in the order in which its usage lists them.
let commands: [any DeveloperCommand.Type] = [
    BenchInputCommand.self, BenchDecodeCommand.self, BenchAppendCommand.self, ClockCommand.self, FixturesCommand.self,
    HoldCommand.self, IntegrityCommand.self,
]

let words = Array(CommandLine.arguments.dropFirst())
guard let name = words.first, let command = commands.first(where: { $0.name == name }) else {
    var usage = "usage: locwatch-dev COMMAND\n\n"
    for command in commands { usage += "  \(command.name) \(command.operands)\n      \(command.summary)\n" }
    writeText(usage, to: STDERR_FILENO)
    exit(64)
}
guard let given = command.init(Array(words.dropFirst())) else {
    writeText("usage: locwatch-dev \(command.name) \(command.operands)\n", to: STDERR_FILENO)
    exit(64)
}
do { try await given.run() } catch {
    writeText("locwatch-dev \(command.name): \(error)\n", to: STDERR_FILENO)
    exit(1)
}
