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
