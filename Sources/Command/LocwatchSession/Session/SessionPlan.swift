package import LocationCore

/// The needs of a command for its session: what it asks the source for, what its output shows, and how it is run.
///
/// A command states what differs from these defaults and runs the plan with `CommandSession.run`. The limits are those of the user,
/// in `Settings`.
package struct SessionPlan {
    /// The consumers of the updates; the file of metrics, the narrator and the hooks are added.
    package var consumers: [any SessionConsumer]
    /// The things that the session must give to the command; its exit code tells what is missing.
    package var needs: SessionNeeds = .answer
    /// The data, to which the receiver of the settings is added, and the criteria of the positions that the user wants to see; the
    /// others are withheld.
    ///
    /// The timeout waits for a position that meets the criteria. With the purpose `once` nothing else depends on them.
    package var request = LocationRequest.everything
    /// Whether satellites are listed individually; they are counted in any case.
    package var listsSatellites = true
    /// Whether the output shows the distance of the session, which is measured for the metrics and --state anyway.
    package var showsDistance = false
    package var timeouts = ConnectionTimeouts()
    /// The parts of the session that the command shows, so that the narrator does not repeat it.
    package var shows = Shown()
    /// Whether the timeout ends the session although a good position has come, because the command needs more.
    package var timeoutIsFinal = false
    /// Whether the command is of no use without its source, so that the session ends with an error if the host's name cannot be
    /// resolved at the start, or if the daemon does not have the receiver.
    package var isBatch = false
    /// The needs of the command beside its source, to which the program is confined; `nil` if it cannot be confined.
    package var access: SessionAccess? = SessionAccess()
    /// Opens what the command writes or serves, when the program is confined and before the source is opened.
    package var open: () throws(StartFailure) -> Void = {}

    package init(_ consumers: (any SessionConsumer)?...) { self.consumers = consumers.compactMap(\.self) }

    /// The parts of a session that the output of a command and its screen show.
    package struct Shown {
        /// Where a failure after which the session continues is shown.
        package enum Failures {
            /// In the output, with all that is known of it, or nowhere, because the command is about something else.
            case byCommand
            /// As a line of the output, which has no room for the advice.
            case inOutput
            /// Nowhere, so that the narrator says it.
            case nowhere
        }

        /// The line on a terminal that is rewritten in place.
        package enum Line {
            /// No line, because the command has a page, a screen or a line of its own.
            case none
            /// The work of the command, and the search for a position.
            case search
            /// The part of a recording that has been read.
            case progress
        }

        package var failures = Failures.nowhere
        /// Whether each step of the search is a line of the output, so that `--verbose` adds nothing.
        package var steps = false
        package var line = Line.search
        /// Returns the work of the command in words, if any, given the duration of the session; a status line shows it as long as
        /// the session lasts.
        package var work: ((String) -> String?)?
        /// Whether the work in words has the reason why the positions so far are not good enough.
        package var workHasShortfall = false
    }
}
