import LocationGPSD

@main struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: tracker FILE.gpx")
            return
        }
        _ = try await Tracker(path: CommandLine.arguments[1]).run(GPSDLocationSource())
    }
}
