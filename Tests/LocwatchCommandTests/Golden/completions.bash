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
