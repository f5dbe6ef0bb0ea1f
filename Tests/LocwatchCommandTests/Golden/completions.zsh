#compdef locwatch
# Completions of locwatch for zsh, printed by: locwatch completions zsh

_locwatch_source() {
    local -a simulated
    simulated=('sim:standstill' 'sim:walk' 'sim:drive' 'sim:coldstart' 'sim:tunnel' 'sim:indoors' 'sim:flat' 'sim:burst' 'sim:noise' 'sim:rollover' 'sim:future' 'sim:unplug')
    _alternative 'receivers:simulated receiver:compadd -a simulated' 'files:recording:_files' 'hosts:host:_hosts'
}

_locwatch_devices() {
    local -a devices
    devices=(/dev/serial/by-id/*(N) /dev/gps*(N) /dev/ttyACM*(N) /dev/ttyUSB*(N) /dev/ttyAMA*(N) /dev/ttyTHS*(N) /dev/ttymxc*(N) /dev/rfcomm*(N))
    compadd -a devices
}

_locwatch_commands() {
    local -a commands
    commands=(
        'watch:follow the position (the default command)'
        'once:print one position that is good enough, then exit'
        'record:write a session to a file that can be replayed'
        'export:write a session as GPX, GeoJSON, KML, CSV, NMEA or gpsd JSON'
        'stats:show a session in figures'
        'devices:list the receivers that the daemon knows'
        'doctor:find out why there is no fix, and what to do'
        'serve:play a recording to any gpsd client, as a gpsd would'
        'completions:print a completion script for bash, zsh or fish'
        'help:tell about a command, the template names, the JSON schema'
        'version:print the version'
    )
    _describe -V -t commands command commands
}

_locwatch_first() {
    _alternative 'commands:command:_locwatch_commands' 'sources:source:_locwatch_source'
}

_locwatch() {
    local -a names specs
    names=(watch once record export stats devices doctor serve completions help version)
    local command='' word
    local -i at
    at=${words[(i)--plot]}
    if (( at < CURRENT - 1 )) && [[ ${words[at+1]} == (*.svg|*.png) ]]; then
        words[at+1]=()
        (( CURRENT-- ))
    fi
    for word in "${(@)words[2,CURRENT-1]}"; do
        if (( ${names[(Ie)$word]} )); then
            command=$word
            break
        fi
    done
    case ${command:-watch} in
    watch)
        specs=(
            '(-j --json)-j[print JSON, one object a line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object a line (locwatch help schema)]'
            '(-f --format)-f+[print each position in a form of your own, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names)]:TEMPLATE: '
            '(-f --format)--format=[print each position in a form of your own, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names)]:TEMPLATE: '
            '--csv[print CSV with a header]'
            '--columns=[write these columns of CSV, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '--text[print text for people, the default]'
            '(-s --states)-s[print changes of state only, no positions]'
            '(-s --states)--states[print changes of state only, no positions]'
            '--sky[print the satellites too; with --csv instead of positions]'
            '--revisions[print every report of an epoch, and not one line for each epoch; JSON always does]'
            '--degrees=[write angles as degrees, degrees and minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC, and not in local time]'
            '--precision=[write coordinates with so many decimals, or as exactly as they came (default 7)]:DIGITS|full:(full)'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most as old as DURATION]:DURATION: '
            '(-d --distance)-d+[only positions at least METRES from the last one]:METRES: '
            '(-d --distance)--distance=[only positions at least METRES from the last one]:METRES: '
            '(-i --interval)-i+[at most one position in DURATION, by the receiver'\''s clock; one may be half a cycle early]:DURATION: '
            '(-i --interval)--interval=[at most one position in DURATION, by the receiver'\''s clock; one may be half a cycle early]:DURATION: '
            '*--fence=[tell, in text and JSON, when a position is inside this circle at the start, and when it is entered, left and stayed in; may be given several times]:NAME=LAT,LON,RADIUS: '
            '--dwell=[how long inside a fence counts as staying (default 5m)]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--all-devices[the positions and states of every receiver, and a track for each (not with nmea)]'
            '--pace=[play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    once)
        specs=(
            '(-j --json)-j[print JSON, one object a line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object a line (locwatch help schema)]'
            '(-f --format)-f+[print each position in a form of your own, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names)]:TEMPLATE: '
            '(-f --format)--format=[print each position in a form of your own, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names)]:TEMPLATE: '
            '--csv[print CSV with a header]'
            '--columns=[write these columns of CSV, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '--text[print text for people, the default]'
            '--degrees=[write angles as degrees, degrees and minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC, and not in local time]'
            '--precision=[write coordinates with so many decimals, or as exactly as they came (default 7)]:DIGITS|full:(full)'
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most as old as DURATION]:DURATION: '
            '--fix=[wait for at least a fix of this kind (default 2d)]:2d|3d:(2d 3d)'
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--pace=[play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    record)
        specs=(
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '--force[overwrite an existing file]'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    export)
        specs=(
            '--columns=[write these columns of CSV, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most as old as DURATION]:DURATION: '
            '(-d --distance)-d+[only positions at least METRES from the last one]:METRES: '
            '(-d --distance)--distance=[only positions at least METRES from the last one]:METRES: '
            '(-i --interval)-i+[at most one position in DURATION, by the receiver'\''s clock; one may be half a cycle early]:DURATION: '
            '(-i --interval)--interval=[at most one position in DURATION, by the receiver'\''s clock; one may be half a cycle early]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--all-devices[the positions and states of every receiver, and a track for each (not with nmea)]'
            '--every=[another name of --interval]:DURATION: '
            '--min-move=[another name of --distance]:METRES: '
            '--simplify=[leave out points that lie within METRES of the line without them]:METRES: '
            '--pace=[play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '(-o --output)-o+[write to FILE instead of standard output; %Y-%m-%d and the like become the date]:FILE:_files'
            '(-o --output)--output=[write to FILE instead of standard output; %Y-%m-%d and the like become the date]:FILE:_files'
            '--force[overwrite an existing file]'
            '--rotate=[go on in a new file after a time or a size, as in 1h or 10MB]:TIME|SIZE: '
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    stats)
        specs=(
            '(-j --json)-j[print JSON, one object a line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object a line (locwatch help schema)]'
            '--degrees=[write angles as degrees, degrees and minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC, and not in local time]'
            '--plot=-[draw pictures in the terminal, or into FILE (.svg, .png)]::FILE:_files'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--pace=[play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    devices)
        specs=(
            '(-j --json)-j[print JSON, one object a line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object a line (locwatch help schema)]'
            '--utc[show times in UTC, and not in local time]'
            '--watch[follow plugging and unplugging]'
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--no-reconnect[end when the connection breaks]'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    doctor)
        specs=(
            '(-j --json)-j[print JSON, one object a line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object a line (locwatch help schema)]'
            '(-t --timeout)-t+[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up when there is no good position within DURATION (once\: 1m, doctor\: 15s, else never)]:DURATION: '
            '--device=[only this receiver of the daemon]:PATH:_locwatch_devices'
            '--stale=[how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)]:DURATION: '
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-v --verbose)-v[say on standard error what the session tells besides positions]'
            '(-v --verbose)--verbose[say on standard error what the session tells besides positions]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    serve)
        specs=(
            '--pace=[play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--listen=[listen at ADDRESS (default this machine only)]:ADDRESS[\:PORT]: '
            '--port=[listen at PORT (default 2947, or a free one if it is taken)]:PORT: '
            '--loop[begin again at the end]'
            '--redate[shift the dates, so that the session seems to happen now]'
            '(-q --quiet)-q[say nothing on standard error but errors that end the program]'
            '(-q --quiet)--quiet[say nothing on standard error but errors that end the program]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    completions)
        specs=(
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    help)
        specs=(
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    version)
        specs=(
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    esac
    case $command in
    '') specs+=('1: :_locwatch_first') ;;
    watch) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    once) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    record) specs+=('1: :' '2:FILE:_files' '3:SOURCE:_locwatch_source') ;;
    export) specs+=('1: :' '2:FORMAT:(gpx geojson kml csv nmea json)' '3:SOURCE:_locwatch_source') ;;
    stats) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    devices) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    doctor) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    serve) specs+=('1: :' '2:FILE:_locwatch_source') ;;
    completions) specs+=('1: :' '2:SHELL:(bash zsh fish)') ;;
    help) specs+=('1: :' '2:TOPIC:(watch once record export stats devices doctor serve completions help version template schema manual)') ;;
    version) specs+=('1: :') ;;
    esac
    _arguments -s -S $specs
}

if [[ $funcstack[1] == _locwatch ]]; then
    _locwatch "$@"
else
    compdef _locwatch locwatch
fi
