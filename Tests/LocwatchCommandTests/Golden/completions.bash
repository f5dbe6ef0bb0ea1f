# Completions of locwatch for bash, printed by: locwatch completions bash
_locwatch_source() {
    # bash ends a word at a colon, so the text after it is completed separately.
    local IFS=$'\n'
    COMPREPLY=($(compgen -W $'sim:standstill\nsim:walk\nsim:drive\nsim:coldstart\nsim:tunnel\nsim:indoors\nsim:flat\nsim:burst\nsim:noise\nsim:rollover\nsim:future\nsim:unplug\nsim:jammed\nsim:spoofed\nsim:teleport\nsim:rtk' -- "$1"))
    COMPREPLY+=($(compgen -f -- "$1") $(compgen -A hostname -- "$1"))
    compopt -o filenames 2>/dev/null
}

_locwatch_devices() {
    local device
    for device in /dev/serial/by-id/* /dev/gps* /dev/ttyACM* /dev/ttyUSB* /dev/ttyAMA* /dev/ttyTHS* /dev/ttymxc* /dev/rfcomm*; do
        if [[ -e $device && $device == "$1"* ]]; then COMPREPLY+=("$device"); fi
    done
}

_locwatch_files() {
    local IFS=$'\n'
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
    inside:*|enter:*|exit:*|dwell:*)
        for ((i = 1; i < COMP_CWORD; i++)); do
            [[ ${COMP_WORDS[i]} == --fence ]] || continue
            word=${COMP_WORDS[i+1]}
            [[ $word == = ]] && word=${COMP_WORDS[i+2]}
            if [[ $word == "${value#*:}"* ]]; then COMPREPLY+=("$word=") ; fi
        done
        ;;
    *) COMPREPLY=($(compgen -W 'found= lost= error= handover= inside= inside: enter= enter: exit= exit: dwell= dwell: integrity= alarm= stationary= moving= every=' -- "$value")) ;;
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
        COMPREPLY=($(compgen -W 'standstill walk drive coldstart tunnel indoors flat burst noise rollover future unplug jammed spoofed teleport rtk'))
        return
    elif [[ $prev == : && $before == sim ]]; then
        COMPREPLY=($(compgen -W 'standstill walk drive coldstart tunnel indoors flat burst noise rollover future unplug jammed spoofed teleport rtk' -- "$cur"))
        return
    fi
    case $prev in
    -f|--format) COMPREPLY=($(compgen -W 'waybar i3blocks i3bar polybar tmux' -- "$cur")); return ;;
    --columns) COMPREPLY=($(compgen -W 'time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD baseL baseC errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam stationary integrity error errorEast errorNorth errorUp alt xdop ydop hdop vdop pdop tdop gdop segment all' -- "$cur")); return ;;
    --sentences) COMPREPLY=($(compgen -W 'GGA GSA GSV VTG GLL GST ZDA RMC' -- "$cur")); return ;;
    --degrees) COMPREPLY=($(compgen -W 'd dm dms' -- "$cur")); return ;;
    --units) COMPREPLY=($(compgen -W 'metric imperial nautical' -- "$cur")); return ;;
    --precision) COMPREPLY=($(compgen -W 'full' -- "$cur")); return ;;
    --plot) [[ ${COMP_WORDS[COMP_CWORD]} == = || ${COMP_WORDS[COMP_CWORD-1]} == = ]] && { _locwatch_files "$cur"; return; } ;;
    -n|--count) :; return ;;
    -t|--timeout) :; return ;;
    -x|--duration) :; return ;;
    -a|--accuracy) :; return ;;
    --max-age) :; return ;;
    --fix) COMPREPLY=($(compgen -W '2d 3d' -- "$cur")); return ;;
    -d|--distance) :; return ;;
    -i|--interval) :; return ;;
    --fence) :; return ;;
    --reference) :; return ;;
    --dwell) :; return ;;
    --device) _locwatch_devices "$cur"; return ;;
    --every) :; return ;;
    --min-move) :; return ;;
    --simplify) :; return ;;
    --pace) COMPREPLY=($(compgen -W 'recorded max 10x' -- "$cur")); return ;;
    --stale) :; return ;;
    --speed) :; return ;;
    --corrections) COMPREPLY=($(compgen -W 'ntrip:// tcp://' -- "$cur")); return ;;
    -o|--output) _locwatch_files "$cur"; return ;;
    --rotate) :; return ;;
    --metrics-file) _locwatch_files "$cur"; return ;;
    --on) :; return ;;
    --on-timeout) :; return ;;
    --listen) :; return ;;
    --port) :; return ;;
    --token-file) _locwatch_files "$cur"; return ;;
    --tiles) :; return ;;
    --fault) COMPREPLY=($(compgen -W 'lose unplug silence refuse restart hangup reset cut garbage utf8 long delay slow partial version ssh http mute close deny devices' -- "$cur")); return ;;
    --script) _locwatch_files "$cur"; return ;;
    --clock) COMPREPLY=($(compgen -W 'system manual' -- "$cur")); return ;;
    --control) _locwatch_files "$cur"; return ;;
    --pty) _locwatch_files "$cur"; return ;;
    --ready-fd) :; return ;;
    --to) COMPREPLY=($(compgen -W 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://' -- "$cur")); return ;;
    --publish) COMPREPLY=($(compgen -W 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://' -- "$cur")); return ;;
    --config) _locwatch_files "$cur"; return ;;
    --angle) :; return ;;
    --heartbeat) :; return ;;
    --queue) _locwatch_files "$cur"; return ;;
    --queue-size) :; return ;;
    --queue-age) :; return ;;
    --backlog-rate) COMPREPLY=($(compgen -W 'unlimited' -- "$cur")); return ;;
    --device-name) :; return ;;
    --tracker-id) :; return ;;
    --client-id) :; return ;;
    --discovery-prefix) :; return ;;
    --header) :; return ;;
    --method) COMPREPLY=($(compgen -W 'get post put patch' -- "$cur")); return ;;
    --body) :; return ;;
    --password-file) _locwatch_files "$cur"; return ;;
    --ca-file) _locwatch_files "$cur"; return ;;
    --cert) _locwatch_files "$cur"; return ;;
    --key) _locwatch_files "$cur"; return ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
    esac
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -f|--format|--columns|--sentences|--degrees|--units|--precision|-n|--count|-t|--timeout|-x|--duration|-a|--accuracy|--max-age|--fix|-d|--distance|-i|--interval|--fence|--reference|--dwell|--device|--every|--min-move|--simplify|--pace|--stale|--speed|--corrections|-o|--output|--rotate|--metrics-file|--on|--on-timeout|--listen|--port|--token-file|--tiles|--fault|--script|--clock|--control|--pty|--ready-fd|--to|--publish|--config|--angle|--heartbeat|--queue|--queue-size|--queue-age|--backlog-rate|--device-name|--tracker-id|--client-id|--discovery-prefix|--header|--method|--body|--password-file|--ca-file|--cert|--key|--color) ((i++)); [[ ${COMP_WORDS[i]} == = ]] && ((i++)) ;;
        --plot) if [[ ${COMP_WORDS[i+1]} == *.svg || ${COMP_WORDS[i+1]} == *.png ]]; then ((i++)); fi ;;
        -*) ;;
        # The rest of a word that bash has split.
        =|:) ((i++)) ;;
        *)
            if [[ -z $command && $operands == 0 &&
                ' watch monitor once record export stats time publish web devices doctor serve control completions help version ' == *" ${COMP_WORDS[i]} "* ]]; then
                command=${COMP_WORDS[i]}
            else
                ((operands++))
            fi
            ;;
        esac
    done
    if [[ $cur == -* ]]; then
        case ${command:-watch} in
        watch) COMPREPLY=($(compgen -W '--json -j --format -f --csv --columns --text --states -s --sky --revisions --degrees --units --utc --precision --count -n --timeout -t --duration -x --accuracy -a --max-age --distance -d --interval -i --fence --reference --dwell --device --all-devices --pace --follow --stale --speed --corrections --no-reconnect --metrics-file --on --on-timeout --on-replay --on-shell --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        monitor) COMPREPLY=($(compgen -W '--degrees --units --utc --precision --ascii --duration -x --fence --reference --device --pace --stale --speed --corrections --no-reconnect --password-file --ca-file --cert --key --color --help -h --version -V' -- "$cur")) ;;
        once) COMPREPLY=($(compgen -W '--json -j --format -f --csv --columns --sentences --text --degrees --units --utc --precision --timeout -t --accuracy -a --max-age --fix --fence --device --pace --stale --speed --corrections --no-reconnect --publish --device-name --tracker-id --client-id --discovery-prefix --header --method --body --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        record) COMPREPLY=($(compgen -W '--timeout -t --duration -x --fence --dwell --device --follow --stale --speed --corrections --no-reconnect --force --on --on-timeout --on-replay --on-shell --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        export) COMPREPLY=($(compgen -W '--columns --sentences --count -n --timeout -t --duration -x --accuracy -a --max-age --distance -d --interval -i --fence --dwell --device --all-devices --every --min-move --simplify --pace --follow --stale --speed --corrections --no-reconnect --output -o --force --rotate --on --on-timeout --on-replay --on-shell --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        stats) COMPREPLY=($(compgen -W '--json -j --degrees --units --utc --plot --ascii --count -n --timeout -t --duration -x --reference --device --pace --follow --stale --speed --corrections --no-reconnect --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        time) COMPREPLY=($(compgen -W '--json -j --utc --plot --ascii --duration -x --device --pace --speed --corrections --no-reconnect --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        publish) COMPREPLY=($(compgen -W '--json -j --sentences --text --utc --count -n --timeout -t --duration -x --accuracy -a --max-age --distance -d --interval -i --fence --dwell --device --pace --follow --stale --speed --corrections --no-reconnect --metrics-file --on --on-timeout --on-replay --on-shell --to --config --check --angle --heartbeat --queue --no-queue --from-start --queue-size --queue-age --backlog-rate --no-backlog --skip-rejected --device-name --tracker-id --client-id --discovery-prefix --header --method --body --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        web) COMPREPLY=($(compgen -W '--units --precision --duration -x --fence --dwell --device --pace --stale --speed --corrections --no-reconnect --metrics-file --on --on-timeout --on-replay --on-shell --listen --port --token-file --tiles --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        devices) COMPREPLY=($(compgen -W '--json -j --utc --watch --timeout -t --duration -x --device --stale --corrections --no-reconnect --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        doctor) COMPREPLY=($(compgen -W '--json -j --timeout -t --device --stale --corrections --device-name --client-id --header --password-file --ca-file --cert --key --color --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        serve) COMPREPLY=($(compgen -W '--device --pace --speed --corrections --no-reconnect --listen --port --loop --redate --fault --script --clock --control --pty --print-port --ready-fd --password-file --ca-file --cert --key --quiet -q --verbose -v --help -h --version -V' -- "$cur")) ;;
        control) COMPREPLY=($(compgen -W '--timeout -t --help -h --version -V' -- "$cur")) ;;
        completions) COMPREPLY=($(compgen -W '--help -h --version -V' -- "$cur")) ;;
        help) COMPREPLY=($(compgen -W '--help -h --version -V' -- "$cur")) ;;
        version) COMPREPLY=($(compgen -W '--verbose -v --help -h --version -V' -- "$cur")) ;;
        esac
        return
    fi
    case $command:$operands in
    :0)
        _locwatch_source "$cur"
        # List the commands before the files.
        COMPREPLY=($(compgen -W 'watch monitor once record export stats time publish web devices doctor serve control completions help version' -- "$cur") "${COMPREPLY[@]}")
        compopt -o nosort 2>/dev/null
        ;;
    watch:0) _locwatch_source "$cur" ;;
    monitor:0) _locwatch_source "$cur" ;;
    once:0) _locwatch_source "$cur" ;;
    record:0) _locwatch_files "$cur" ;;
    record:1) _locwatch_source "$cur" ;;
    export:0) COMPREPLY=($(compgen -W 'gpx geojson kml csv nmea json' -- "$cur")) ;;
    export:1) _locwatch_source "$cur" ;;
    stats:0) _locwatch_source "$cur" ;;
    time:0) _locwatch_source "$cur" ;;
    publish:0) COMPREPLY=($(compgen -W 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://' -- "$cur")) ;;
    publish:1) _locwatch_source "$cur" ;;
    web:0) _locwatch_source "$cur" ;;
    devices:0) _locwatch_source "$cur" ;;
    doctor:0) _locwatch_source "$cur" ;;
    serve:0) _locwatch_source "$cur" ;;
    control:0) _locwatch_files "$cur" ;;
    control:1) COMPREPLY=($(compgen -W 'status wait lose restore move jump fault clear refuse accept step requests' -- "$cur")) ;;
    completions:0) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")) ;;
    help:0) COMPREPLY=($(compgen -W 'watch monitor once record export stats time publish web devices doctor serve control completions help version template sim faults schema manual' -- "$cur")) ;;
    esac
}
complete -F _locwatch locwatch
