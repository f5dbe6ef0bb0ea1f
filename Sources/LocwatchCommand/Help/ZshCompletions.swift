import LocwatchArguments

/// Completions for zsh, for a file `_locwatch` in `fpath`.
enum ZshCompletions {
    static var text: String {
        """
        #compdef locwatch
        # Completions of locwatch for zsh, printed by: locwatch completions zsh

        _locwatch_source() {
            local -a simulated
            simulated=(\(CompletionWords.simulated.map(CompletionWords.quoted).joined(separator: " ")))
            _alternative 'receivers:simulated receiver:compadd -a simulated' 'files:recording:_files' 'hosts:host:_hosts'
        }

        _locwatch_devices() {
            local -a devices
            devices=(\(CompletionWords.devicePatterns.split(separator: " ").map { "\($0)(N)" }.joined(separator: " ")))
            compadd -a devices
        }

        _locwatch_hooks() {
            local -a fences
            local -i i
            if compset -P '*='; then
                _command_names -e
            elif compset -P '(\(CompletionWords.fenceEvents.joined(separator: "|"))):'; then
                for (( i = 1; i < ${#words}; i++ )); do
                    case ${words[i]} in
                    --fence) fences+=("${words[i+1]%%=*}") ;;
                    --fence=*) fences+=("${${words[i]#--fence=}%%=*}") ;;
                    esac
                done
                compadd -S '=' -a fences
            else
                compadd -S '' \(CompletionWords.events.joined(separator: " "))
            fi
        }

        _locwatch_commands() {
            local -a commands
            commands=(
        \(commands)
            )
            _describe -V -t commands command commands
        }

        _locwatch_first() {
            _alternative 'commands:command:_locwatch_commands' 'sources:source:_locwatch_source'
        }

        _locwatch() {
            local -a names specs
            names=(\(CompletionWords.commands.joined(separator: " ")))
            local command='' word
            local -i at
        \(optional)
            for word in "${(@)words[2,CURRENT-1]}"; do
                if (( ${names[(Ie)$word]} )); then
                    command=$word
                    break
                fi
            done
            case ${command:-watch} in
        \(specs)
            esac
            case $command in
            '') specs+=('1: :_locwatch_first') ;;
        \(operands)
            esac
            _arguments -s -S $specs
        }

        if [[ $funcstack[1] == _locwatch ]]; then
            _locwatch "$@"
        else
            compdef _locwatch locwatch
        fi

        """
    }

    /// The commands that remove option values recognized by their endings, which `_arguments` does not support.
    private static var optional: String {
        CompletionWords.optional.map { option, endings in
            let pattern = endings.map { "*\($0)" }.joined(separator: "|")
            return """
                    at=${words[(i)\(option.long)]}
                    if (( at < CURRENT - 1 )) && [[ ${words[at+1]} == (\(pattern)) ]]; then
                        words[at+1]=()
                        (( CURRENT-- ))
                    fi
                """
        }.joined(separator: "\n")
    }

    private static var commands: String {
        CommandName.allCases.map(\.entry).map {
            "        " + CompletionWords.quoted("\($0.name.rawValue):\($0.summary)")
        }
        .joined(separator: "\n")
    }

    private static var specs: String {
        CommandName.allCases.map { name in
            let specs = CompletionWords.options(of: name).flatMap(spec).map { "            \($0)" }
            return "    \(name.rawValue))\n        specs=(\n\(specs.joined(separator: "\n"))\n        )\n        ;;"
        }.joined(separator: "\n")
    }

    private static func spec(_ option: OptionEntry) -> [String] {
        let summary = String(
            option.summary.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
        let repeats = ["fence", "on", "to", "header"].contains(option.name) ? "*" : ""
        let excluded = repeats.isEmpty ? option.short.map { "(-\($0) \(option.long))" } ?? "" : ""
        func spec(_ spelling: String, _ tail: String) -> String {
            CompletionWords.quoted("\(excluded)\(repeats)\(spelling)[\(summary)]\(tail)")
        }
        switch option.argument {
        case .none: return (option.short.map { [spec("-\($0)", "")] } ?? []) + [spec(option.long, "")]
        case .required(let form):
            let tail = ":\(message(form.placeholder)):\(action(form.completion))"
            return (option.short.map { [spec("-\($0)+", tail)] } ?? []) + [spec("\(option.long)=", tail)]
        case .optional(let form, _, _):
            return [spec("\(option.long)=-", "::\(message(form.placeholder)):\(action(form.completion))")]
        }
    }

    private static var operands: String {
        CommandName.allCases.map(\.entry).map { entry in
            let words = entry.operands.enumerated().map { index, operand in
                CompletionWords.quoted(
                    "\(index + 2):\(message(operand.placeholder)):\(action(operand.completion))")
            }
            return "    \(entry.name.rawValue)) specs+=(\((["'1: :'"] + words).joined(separator: " "))) ;;"
        }.joined(separator: "\n")
    }

    private static func message(_ placeholder: String) -> String {
        String(placeholder.flatMap { $0 == ":" ? ["\\", $0] : [$0] })
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .topic: "(\(HelpTopic.words.joined(separator: " ")))"
        case .file: "_files"
        case .device: "_locwatch_devices"
        case .source: "_locwatch_source"
        case .hook: "_locwatch_hooks"
        }
    }
}
