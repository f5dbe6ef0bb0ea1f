import Glibc

@main
enum Main {
    static func main() throws {
        guard let options = SoakOptions(CommandLine.arguments.dropFirst()) else {
            print(SoakOptions.usage)
            exit(64)
        }
        print("soak of \(options.seconds) s, seed \(options.seed)")
        let faults = try Soak(options).run()
        for fault in faults { print("WRONG: \(fault)") }
        if !faults.isEmpty { exit(1) }
    }
}
