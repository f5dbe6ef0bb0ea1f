import LocationPublishing

/// The forms of the TARGET word, as the help and the manual page list them.
enum TargetHelp {
    static let rows: [(term: String, meaning: String)] = TargetScheme.all.map { ($0.example, $0.summary) }

    static let rule =
        "A TARGET never contains a password, because other users could see it in the list of processes: it comes from "
        + "--password-file, from the variable LOCWATCH_PASSWORD, or from systemd's credential password. A webhook "
        + "has the names of templates in its address, as in https://HOST/?lat=%{lat}&lon=%{lon}: "
        + PublishTemplate.names.joined(separator: " ") + "."
}
