/// The parsed arguments, combined with the environment variables.
struct Invocation: Hashable, Sendable {
    /// The command.
    var command: CommandName
    /// The word after the command, if it takes one: a file, a format, a topic.
    var word: String?
    /// The source of the session, if the command takes one.
    var source = SourceWord.standard
    /// The settings from the options and variables.
    var settings = Settings()
}

extension Invocation {
    /// Checks that the file to write, if any, is not the recording to read.
    func checkFileToWrite(_ path: String?) throws(UsageError) {
        guard let path, path != "-", source.source.isSameFile(as: path) else { return }
        throw UsageError(
            "\(path.printable) cannot be both the recording to read and the file to write", command: command)
    }

    /// Checks that `--columns` is used only with positions in CSV.
    func checkColumns() throws(UsageError) {
        guard settings.columns != nil else { return }
        if !settings.output.carries(.columns) { throw UsageError("--columns needs --csv", command: command) }
        if settings.showsStatesOnly || settings.showsSky {
            throw UsageError(
                "--columns selects columns of positions and cannot be combined with --states or --sky", command: command
            )
        }
    }
}
