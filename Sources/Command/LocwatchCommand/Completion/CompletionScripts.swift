enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The completion script for this shell, which asks `CompleteCommand` at each Tab.
    ///
    /// A script asks the program in `PATH`, whatever path is typed, because a Tab must not start a program that its user has
    /// not started. If that program is absent or older, it prints nothing, and nothing is offered.
    var completions: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = #"""
        # Completions of locwatch for bash, which locwatch answers; printed by: locwatch completions bash
        _locwatch() {
            local word=${2#[:=]} kept line kind endings
            local -a found
            COMPREPLY=()
            {
                IFS= read -r kept
                while IFS= read -r line; do
                    if [[ $line != $'\t'* ]]; then
                        COMPREPLY+=("$kept$line")
                        continue
                    fi
                    line=${line#?} kind=${line%% *} endings=${line#"$kind"}
                    mapfile -t found < <(compgen -P "$kept" -A "$kind" -- "${word#"$kept"}")
                    for line in "${found[@]}"; do
                        if [[ -z $endings || "${endings# }|" == *".${line##*.}|"* ]]; then COMPREPLY+=("$line"); fi
                    done
                    if [[ $kind == file || $kind == directory ]]; then compopt -o filenames 2>/dev/null; fi
                done
            } < <(command locwatch __complete bash "${COMP_LINE:0:COMP_POINT}" "$word" 2>/dev/null </dev/null)
            if [[ ${COMPREPLY[0]} == *[:=/] ]]; then compopt -o nospace 2>/dev/null; fi
            compopt -o nosort 2>/dev/null
        }
        complete -F _locwatch locwatch

        """#

    private static let zshScript = #"""
        #compdef locwatch
        # Completions of locwatch for zsh, which locwatch answers; printed by: locwatch completions zsh
        _locwatch() {
            local line word ret=1
            local -a answer ended open requests
            answer=("${(@f)$(command locwatch __complete zsh "${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null </dev/null)}")
            compset -p ${#answer[1]}
            for line in "${(@)answer[2,-1]}"; do
                word=${line%%$'\t'*}
                if [[ -z $word ]]; then requests+=("${line#?}") && continue; fi
                line=${word//(#m)[:\\]/\\$MATCH}${${line#"$word"}/$'\t'/:}
                if [[ $word == *[:=/] ]]; then open+=("$line"); else ended+=("$line"); fi
            done
            (( $#ended )) && _describe -V -t words word ended && ret=0
            (( $#open )) && _describe -V -t words word open -S '' && ret=0
            for line in $requests; do
                case $line in
                file) _files ;;
                'file '*) _files -g "*(${line#* }|${line#* })" ;;
                directory) _files -/ ;;
                hostname) _hosts ;;
                command) _command_names -e ;;
                *) _message "${line#* }" ;;
                esac && ret=0
            done
            return ret
        }
        if [[ $funcstack[1] == _locwatch ]]; then _locwatch "$@"; else compdef _locwatch locwatch; fi

        """#

    private static let fishScript = #"""
        # Completions of locwatch for fish, which locwatch answers; printed by: locwatch completions fish
        function __locwatch_complete
            command -q locwatch; or return
            set -l answer (command locwatch __complete fish (commandline -pc | string collect) 2>/dev/null </dev/null)
            set -q answer[1]; or return
            set -l kept $answer[1]
            set -l rest (string replace -- "$kept" '' (commandline -ct | string collect))
            for line in $answer[2..-1]
                switch $line
                    case \tdirectory
                        printf '%s\n' $kept(complete -C "__fish_command_without_completions $rest" | string match -- '*/')
                    case \tfile\*
                        for ending in (string sub -s 7 -- $line | string split '|')
                            printf '%s\n' $kept(complete -C "__fish_command_without_completions $rest" | string match -- "*$ending")
                        end
                    case \thostname
                        printf '%s\n' $kept(__fish_print_hostnames)
                    case \tcommand
                        printf '%s\n' $kept(complete -C "$rest")
                    case '*'
                        printf '%s\n' $kept$line
                end
            end
        end
        complete -c locwatch -kf -a '(__locwatch_complete)'

        """#
}
