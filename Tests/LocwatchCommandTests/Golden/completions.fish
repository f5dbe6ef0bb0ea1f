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
