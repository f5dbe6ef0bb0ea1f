import LocwatchArguments

/// Completions for fish.
enum FishCompletions {
    static var text: String {
        """
        # Completions of locwatch for fish, printed by: locwatch completions fish
        function __locwatch_command
            for word in (commandline -opc)[2..-1]
                if contains -- $word \(CompletionWords.commands.joined(separator: " "))
                    echo $word
                    return
                end
            end
        end

        function __locwatch_is
            set -l command (__locwatch_command)
            test -n "$command"; or set command watch
            contains -- $command $argv
        end

        function __locwatch_devices
            for device in \(CompletionWords.devicePatterns)
                echo $device
            end
        end

        function __locwatch_sources
            printf '%s\\n' \(CompletionWords.simulated.joined(separator: " "))
            __fish_print_hostnames
            __fish_complete_path (commandline -ct)
        end

        function __locwatch_hooks
            set -l value (commandline -ct | string replace -r '^--on=' '')
            if string match -q -- '*=*' $value
                set -l event (string replace -r '=.*' '=' -- $value)
                # The names of commands, as at the beginning of a line.
                printf '%s\\n' $event(complete -C (string replace -r '^[^=]*=' '' -- $value) | string replace -r '\\t.*' '')
                return
            end
            set -l words (commandline -opc)
            set -l fences
            for i in (seq (count $words))
                switch $words[$i]
                    case --fence
                        set -a fences (string replace -r '=.*' '' -- $words[(math $i + 1)])
                    case '--fence=*'
                        set -a fences (string replace -r '^--fence=([^=]*).*' '$1' -- $words[$i])
                end
            end
            printf '%s\\n' \(CompletionWords.events.joined(separator: " "))
            if set -q fences[1]
                for event in \(CompletionWords.fenceEvents.joined(separator: " "))
                    printf '%s\\n' $event:$fences=
                end
            end
        end

        complete -c locwatch -f
        \(operands)
        # fish shows completions with -k in reverse order.
        \(commands)
        \(options)

        """
    }

    private static var commands: String {
        CommandName.allCases.reversed().map(\.entry).map { entry in
            "complete -c locwatch -k -n 'test -z (__locwatch_command)' -a \(entry.name.rawValue) "
                + "-d \(quoted(entry.summary))"
        }.joined(separator: "\n")
    }

    private static var operands: String {
        CommandName.allCases.map(\.entry).flatMap { entry in
            // A word of a list comes before the other operands, which follow once it is there.
            let words = entry.operands.lazy.compactMap(\.words).first
            return entry.operands.map { operand in
                var condition = "__locwatch_is \(entry.name.rawValue)"
                if let words {
                    condition += "; and \(operand.words == nil ? "" : "not ")__fish_seen_subcommand_from \(words)"
                }
                return "complete -c locwatch -k -n '\(condition)' \(values(operand.completion))"
            }
        }.joined(separator: "\n")
    }

    private static var options: String {
        OptionTable.all.map { option in
            let commands = option.commands.map(\.rawValue)
            var line = "complete -c locwatch -n '__locwatch_is \(commands.joined(separator: " "))'"
            if let short = option.short { line += " -s \(short)" }
            line += " -l \(option.name.rawValue)"
            switch option.argument {
            case .none: break
            case .required(let form): line += " -r \(values(form.completion))"
            case .optional(let form, _, _): line += " \(values(form.completion))"
            }
            return line + " -d \(quoted(option.summary))"
        }.joined(separator: "\n")
    }

    private static func values(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: "-f"
        case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
        case .topic: "-f -a \(quoted(HelpTopic.words.joined(separator: " ")))"
        case .file: "-F"
        case .device: "-f -a '(__locwatch_devices)'"
        case .source: "-f -a '(__locwatch_sources)'"
        case .hook: "-f -a '(__locwatch_hooks)'"
        }
    }

    /// Returns a text in single quotes, in which fish supports two escapes.
    private static func quoted(_ text: String) -> String {
        "'" + String(text.flatMap { "'\\".contains($0) ? ["\\", $0] : [$0] }) + "'"
    }
}

extension CommandEntry.Operand {
    /// The words of which the operand must be one, separated by spaces, if it has a list.
    fileprivate var words: String? {
        if case .word(let words) = kind, !words.isEmpty { words.joined(separator: " ") } else { nil }
    }
}
