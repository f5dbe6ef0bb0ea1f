import LocwatchArguments

/// Completions for bash that do not need the package bash-completion.
enum BashCompletions {
    static var text: String {
        """
        # Completions of locwatch for bash, printed by: locwatch completions bash
        _locwatch_source() {
            # bash ends a word at a colon, so the text after it is completed separately.
            local IFS=$'\\n'
            COMPREPLY=($(compgen -W $'\(CompletionWords.simulated.joined(separator: "\\n"))' -- "$1"))
            COMPREPLY+=($(compgen -f -- "$1") $(compgen -A hostname -- "$1"))
            compopt -o filenames 2>/dev/null
        }

        _locwatch_devices() {
            local device
            for device in \(CompletionWords.devicePatterns); do
                if [[ -e $device && $device == "$1"* ]]; then COMPREPLY+=("$device"); fi
            done
        }

        _locwatch_files() {
            local IFS=$'\\n'
            COMPREPLY=($(compgen -f -- "$1"))
            compopt -o filenames 2>/dev/null
        }

        # Completes the value of --on, if that is what is typed. bash splits it at its colon and its equals sign.
        _locwatch_hook() {
            local value='' i word
            for ((i = COMP_CWORD; i > 0 && COMP_CWORD - i < 6; i--)); do
                [[ ${COMP_WORDS[i]} == --on ]] && break
                value=${COMP_WORDS[i]}$value
            done
            [[ $i -lt $COMP_CWORD && ${COMP_WORDS[i]} == --on && ${COMP_LINE:0:COMP_POINT} == *"$value" ]] || return 1
            value=${value#=}
            if [[ $value == *=* ]]; then
                COMPREPLY=($(compgen -c -- "${value#*=}"))
                return
            fi
            compopt -o nospace 2>/dev/null
            case $value in
            \(CompletionWords.fenceEvents.map { "\($0):*" }.joined(separator: "|")))
                for ((i = 1; i < COMP_CWORD; i++)); do
                    [[ ${COMP_WORDS[i]} == --fence ]] || continue
                    word=${COMP_WORDS[i+1]}
                    [[ $word == = ]] && word=${COMP_WORDS[i+2]}
                    if [[ $word == "${value#*:}"* ]]; then COMPREPLY+=("$word=") ; fi
                done
                ;;
            *) COMPREPLY=($(compgen -W '\(CompletionWords.events.joined(separator: " "))' -- "$value")) ;;
            esac
        }

        _locwatch() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} before='' command='' operands=0 i
            ((COMP_CWORD > 1)) && before=${COMP_WORDS[COMP_CWORD-2]}
            COMPREPLY=()
            _locwatch_hook && return
            # bash splits --option=value at the equals sign, and sim:walk at the colon.
            if [[ $cur == = ]]; then
                cur=''
            elif [[ $prev == = ]]; then
                prev=$before
            elif [[ $cur == : && $prev == sim ]]; then
                COMPREPLY=($(compgen -W '\(simulatedNames)'))
                return
            elif [[ $prev == : && $before == sim ]]; then
                COMPREPLY=($(compgen -W '\(simulatedNames)' -- "$cur"))
                return
            fi
            case $prev in
        \(values)
            esac
            for ((i = 1; i < COMP_CWORD; i++)); do
                case ${COMP_WORDS[i]} in
                \(valued)) ((i++)); [[ ${COMP_WORDS[i]} == = ]] && ((i++)) ;;
        \(optional)
                -*) ;;
                # The rest of a word that bash has split.
                =|:) ((i++)) ;;
                *)
                    if [[ -z $command && $operands == 0 &&
                        ' \(CompletionWords.commands.joined(separator: " ")) ' == *" ${COMP_WORDS[i]} "* ]]; then
                        command=${COMP_WORDS[i]}
                    else
                        ((operands++))
                    fi
                    ;;
                esac
            done
            if [[ $cur == -* ]]; then
                case ${command:-watch} in
        \(options)
                esac
                return
            fi
            case $command:$operands in
            :0)
                _locwatch_source "$cur"
                # List the commands before the files.
                COMPREPLY=($(compgen -W '\(CompletionWords.commands.joined(separator: " "))' -- "$cur") "${COMPREPLY[@]}")
                compopt -o nosort 2>/dev/null
                ;;
        \(operands)
            esac
        }
        complete -F _locwatch locwatch

        """
    }

    private static var simulatedNames: String {
        CompletionWords.simulated.map { String($0.dropFirst("sim:".count)) }.joined(separator: " ")
    }

    private static func pattern(_ option: OptionEntry) -> String {
        (option.short.map { "-\($0)|" } ?? "") + option.long
    }

    private static var valued: String { CompletionWords.valued.map(pattern).joined(separator: "|") }

    /// The cases for options whose value is recognized by its ending.
    private static var optional: String {
        CompletionWords.optional.map { option, endings in
            let pattern = endings.map { "*\($0)" }.joined(separator: " || ${COMP_WORDS[i+1]} == ")
            return "        \(option.long)) if [[ ${COMP_WORDS[i+1]} == \(pattern) ]]; then ((i++)); fi ;;"
        }.joined(separator: "\n")
    }

    private static var values: String {
        OptionTable.all.compactMap { option in
            guard let form = option.valueForm else { return nil }
            guard case .required = option.argument else {
                // An optional value is completed only after an equals sign.
                return "    \(option.long)) [[ ${COMP_WORDS[COMP_CWORD]} == = || ${COMP_WORDS[COMP_CWORD-1]} == = ]]"
                    + " && { \(action(form.completion, "$cur")); return; } ;;"
            }
            return "    \(pattern(option))) \(action(form.completion, "$cur")); return ;;"
        }.joined(separator: "\n")
    }

    private static var options: String {
        CommandName.allCases.map { name in
            let words = CompletionWords.options(of: name).flatMap { option in
                [option.long] + (option.short.map { ["-\($0)"] } ?? [])
            }
            return "        \(name.rawValue)) \(action(.words(words), "$cur")) ;;"
        }.joined(separator: "\n")
    }

    private static var operands: String {
        CommandName.allCases.map(\.entry).flatMap { entry in
            entry.operands.enumerated().map { index, operand in
                "    \(entry.name.rawValue):\(index)) \(action(operand.completion, "$cur")) ;;"
            }
        }.joined(separator: "\n")
    }

    private static func action(_ completion: ValueCompletion, _ word: String) -> String {
        switch completion {
        case .none: ":"
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"\(word)\"))"
        case .topic: "COMPREPLY=($(compgen -W '\(HelpTopic.words.joined(separator: " "))' -- \"\(word)\"))"
        case .file: "_locwatch_files \"\(word)\""
        case .device: "_locwatch_devices \"\(word)\""
        case .source: "_locwatch_source \"\(word)\""
        // _locwatch_hook has done it.
        case .hook: ":"
        }
    }
}
