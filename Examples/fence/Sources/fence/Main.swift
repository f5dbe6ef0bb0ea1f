import Glibc
import LocationGPSD

@main struct Main {
    static func main() async throws {
        guard let runner = FenceRunner(arguments: Array(CommandLine.arguments.dropFirst())) else {
            print("usage: fence LATITUDE LONGITUDE RADIUS COMMAND [ARGUMENT]...")
            return
        }
        // The system removes the commands that have ended, because the program does not wait for them.
        signal(SIGCHLD, SIG_IGN)
        try await runner.run(GPSDLocationSource(), launch: launch)
    }
}
