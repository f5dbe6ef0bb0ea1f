/// The numbers of the messages of RTCM 3 that are passed on to a receiver.
enum CorrectionNumbers {
    private static let rows: [(numbers: ClosedRange<Int>, content: String)] = [
        (1001...1028, "observations, stations, orbits, and the parameters of coordinates"),
        // 1029 is a text.
        (1030...1230, "residuals, orbits, corrections of states, observations of all systems, and code biases"),
        (4072...4072, "u-blox: the position and the velocity of a base that moves"),
        (4073...4073, "Mitsubishi Electric: corrections of states of Japan's CLAS"),
        (4076...4076, "International GNSS Service: corrections of states"),
    ]

    /// Returns whether messages with a number are passed on.
    static func contains(_ number: Int) -> Bool { rows.contains { $0.numbers.contains(number) } }
}
