#compdef locwatch
# Completions of locwatch for zsh, printed by: locwatch completions zsh

_locwatch_source() {
    local -a simulated
    simulated=('sim:standstill' 'sim:walk' 'sim:drive' 'sim:coldstart' 'sim:tunnel' 'sim:indoors' 'sim:flat' 'sim:burst' 'sim:noise' 'sim:rollover' 'sim:future' 'sim:unplug' 'sim:jammed' 'sim:spoofed' 'sim:teleport' 'sim:rtk')
    _alternative 'receivers:simulated receiver:compadd -a simulated' 'files:recording:_files' 'hosts:host:_hosts'
}

_locwatch_devices() {
    local -a devices
    devices=(/dev/serial/by-id/*(N) /dev/gps*(N) /dev/ttyACM*(N) /dev/ttyUSB*(N) /dev/ttyAMA*(N) /dev/ttyTHS*(N) /dev/ttymxc*(N) /dev/rfcomm*(N))
    compadd -a devices
}

_locwatch_hooks() {
    local -a fences
    local -i i
    if compset -P '*='; then
        _command_names -e
    elif compset -P '(inside|enter|exit|dwell):'; then
        for (( i = 1; i < ${#words}; i++ )); do
            case ${words[i]} in
            --fence) fences+=("${words[i+1]%%=*}") ;;
            --fence=*) fences+=("${${words[i]#--fence=}%%=*}") ;;
            esac
        done
        compadd -S '=' -a fences
    else
        compadd -S '' found= lost= error= handover= inside= inside: enter= enter: exit= exit: dwell= dwell: integrity= alarm= stationary= moving= every=
    fi
}

_locwatch_commands() {
    local -a commands
    commands=(
        'watch:follow the position (the default command)'
        'monitor:show the whole picture on one screen'
        'once:print one position that is good enough, then exit'
        'record:write a session to a file that can be replayed'
        'export:write a session as GPX, GeoJSON, KML, CSV, NMEA or gpsd JSON'
        'stats:summarize a session: availability, accuracy, scatter'
        'time:compare the system clock with the receiver'\''s'
        'publish:send the position to others: MQTT, HTTP, chart plotters'
        'web:show the position on a web page, and give metrics'
        'devices:list the receivers of the daemon, or the devices of a fleet'
        'doctor:find out why there is no fix, and what to do'
        'serve:give any source to any gpsd client, as a gpsd would'
        'control:drive a '\''serve --control PATH'\'' from a test'
        'completions:print a completion script for bash, zsh or fish'
        'help:describe a command, the template names, the JSON schema'
        'version:print the version of locwatch and of its libgps'
    )
    _describe -V -t commands command commands
}

_locwatch_first() {
    _alternative 'commands:command:_locwatch_commands' 'sources:source:_locwatch_source'
}

_locwatch() {
    local -a names specs
    names=(watch monitor once record export stats time publish web devices doctor serve control completions help version)
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
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '(-f --format)-f+[print each position with a template, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names), or the state for a bar\: waybar, i3blocks, i3bar, polybar or tmux]:TEMPLATE|BAR:(waybar i3blocks i3bar polybar tmux)'
            '(-f --format)--format=[print each position with a template, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names), or the state for a bar\: waybar, i3blocks, i3bar, polybar or tmux]:TEMPLATE|BAR:(waybar i3blocks i3bar polybar tmux)'
            '--csv[print CSV with a header]'
            '--columns=[write these CSV columns, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD baseL baseC errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam stationary integrity error errorEast errorNorth errorUp alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '--text[print text for people (default)]'
            '(-s --states)-s[print only changes of state, no positions]'
            '(-s --states)--states[print only changes of state, no positions]'
            '--sky[also print satellites, once an epoch (JSON\: each report); with --csv, instead of positions]'
            '--revisions[print every report of an epoch, and of its satellites, instead of one line; JSON always does]'
            '--degrees=[write angles in degrees, with minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC instead of local time]'
            '--precision=[write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)]:DIGITS|full:(full)'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most DURATION old; in a fleet those older than 10m are late by default]:DURATION: '
            '(-d --distance)-d+[only positions at least METRES from the last one]:METRES: '
            '(-d --distance)--distance=[only positions at least METRES from the last one]:METRES: '
            '(-i --interval)-i+[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '(-i --interval)--interval=[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--reference=[compare positions with a point whose place is known\: the error of each, and in stats their mean, CEP, worst and drift; HEIGHT is above sea level]:LAT,LON[,HEIGHT]: '
            '--dwell=[time inside a fence that counts as staying (default 5m)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--all-devices[print positions and states, or write a track, for every receiver (not with nmea)]'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--follow[wait for more at the end of a file that is being written, as tail -f does]'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--metrics-file=[keep the metrics of the session in FILE for Prometheus, as in /var/lib/prometheus/node-exporter/locwatch.prom]:FILE:_files'
            '*--on=[run COMMAND at EVENT\: found, lost, error, handover, inside\:NAME, enter\:NAME, exit\:NAME, dwell\:NAME, integrity, alarm, stationary, moving or every; can be given several times]:EVENT=COMMAND:_locwatch_hooks'
            '--on-timeout=[end a command that runs longer than DURATION (default 30s)]:DURATION: '
            '--on-replay[run commands also while a recording is played]'
            '--on-shell[run commands with /bin/sh -c]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    monitor)
        specs=(
            '--degrees=[write angles in degrees, with minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC instead of local time]'
            '--precision=[write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)]:DIGITS|full:(full)'
            '--ascii[draw with ASCII characters only (default\: what the locale can show)]'
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--reference=[compare positions with a point whose place is known\: the error of each, and in stats their mean, CEP, worst and drift; HEIGHT is above sea level]:LAT,LON[,HEIGHT]: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    once)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '(-f --format)-f+[print each position with a template, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names), or the state for a bar\: waybar, i3blocks, i3bar, polybar or tmux]:TEMPLATE|BAR:(waybar i3blocks i3bar polybar tmux)'
            '(-f --format)--format=[print each position with a template, as in '\''%{lat} %{lon}'\'' (locwatch help template lists the names), or the state for a bar\: waybar, i3blocks, i3bar, polybar or tmux]:TEMPLATE|BAR:(waybar i3blocks i3bar polybar tmux)'
            '--csv[print CSV with a header]'
            '--columns=[write these CSV columns, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD baseL baseC errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam stationary integrity error errorEast errorNorth errorUp alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '--sentences=[send or write only these NMEA sentences, as in GGA,RMC,GST (default GGA,GSA,GSV,VTG,GST,ZDA,RMC; GLL exists too)]:TYPE,...:(GGA GSA GSV VTG GLL GST ZDA RMC)'
            '--text[print text for people (default)]'
            '--degrees=[write angles in degrees, with minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC instead of local time]'
            '--precision=[write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)]:DIGITS|full:(full)'
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most DURATION old; in a fleet those older than 10m are late by default]:DURATION: '
            '--fix=[wait for at least this kind of fix (default 2d)]:2d|3d:(2d 3d)'
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--publish=[publish the position to TARGET, and succeed only when it was taken]:TARGET:(mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://)'
            '--device-name=[name of this machine for the targets (default its host name)]:NAME: '
            '--tracker-id=[OwnTracks\: the characters on the map (default the last two of the device)]:ID: '
            '--client-id=[MQTT\: the name of the connection, which must be unique (default from the host name and the target)]:ID: '
            '--discovery-prefix=[Home Assistant\: the first part of the topics (default homeassistant)]:TOPIC: '
            '*--header=[HTTP\: send this header too; can be given several times]:NAME\:VALUE: '
            '--method=[webhook\: the method (default get for an address with values, else post)]:get|post|put|patch:(get post put patch)'
            '--body=[webhook\: the body, with values such as %{lat} (default the JSON of a position)]:TEMPLATE: '
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    record)
        specs=(
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--dwell=[time inside a fence that counts as staying (default 5m)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--follow[wait for more at the end of a file that is being written, as tail -f does]'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--force[overwrite an existing file]'
            '*--on=[run COMMAND at EVENT\: found, lost, error, handover, inside\:NAME, enter\:NAME, exit\:NAME, dwell\:NAME, integrity, alarm, stationary, moving or every; can be given several times]:EVENT=COMMAND:_locwatch_hooks'
            '--on-timeout=[end a command that runs longer than DURATION (default 30s)]:DURATION: '
            '--on-replay[run commands also while a recording is played]'
            '--on-shell[run commands with /bin/sh -c]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    export)
        specs=(
            '--columns=[write these CSV columns, separated by commas, or all]:NAME,...:(time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD baseL baseC errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam stationary integrity error errorEast errorNorth errorUp alt xdop ydop hdop vdop pdop tdop gdop segment all)'
            '--sentences=[send or write only these NMEA sentences, as in GGA,RMC,GST (default GGA,GSA,GSV,VTG,GST,ZDA,RMC; GLL exists too)]:TYPE,...:(GGA GSA GSV VTG GLL GST ZDA RMC)'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most DURATION old; in a fleet those older than 10m are late by default]:DURATION: '
            '(-d --distance)-d+[only positions at least METRES from the last one]:METRES: '
            '(-d --distance)--distance=[only positions at least METRES from the last one]:METRES: '
            '(-i --interval)-i+[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '(-i --interval)--interval=[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--dwell=[time inside a fence that counts as staying (default 5m)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--all-devices[print positions and states, or write a track, for every receiver (not with nmea)]'
            '--every=[the same as --interval]:DURATION: '
            '--min-move=[the same as --distance]:METRES: '
            '--simplify=[drop points that lie within METRES of the simplified line, which keeps the ends of each segment]:METRES: '
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--follow[wait for more at the end of a file that is being written, as tail -f does]'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '(-o --output)-o+[write to FILE instead of standard output; %Y-%m-%d etc. become the date]:FILE:_files'
            '(-o --output)--output=[write to FILE instead of standard output; %Y-%m-%d etc. become the date]:FILE:_files'
            '--force[overwrite an existing file]'
            '--rotate=[continue in a new file after a time or a size, as in 1h or 10MB]:TIME|SIZE: '
            '*--on=[run COMMAND at EVENT\: found, lost, error, handover, inside\:NAME, enter\:NAME, exit\:NAME, dwell\:NAME, integrity, alarm, stationary, moving or every; can be given several times]:EVENT=COMMAND:_locwatch_hooks'
            '--on-timeout=[end a command that runs longer than DURATION (default 30s)]:DURATION: '
            '--on-replay[run commands also while a recording is played]'
            '--on-shell[run commands with /bin/sh -c]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    stats)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '--degrees=[write angles in degrees, with minutes, or with seconds (default d)]:d|dm|dms:(d dm dms)'
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--utc[show times in UTC instead of local time]'
            '--plot=-[draw plots in the terminal, or into FILE (.svg, .png)]::FILE:_files'
            '--ascii[draw with ASCII characters only (default\: what the locale can show)]'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--reference=[compare positions with a point whose place is known\: the error of each, and in stats their mean, CEP, worst and drift; HEIGHT is above sea level]:LAT,LON[,HEIGHT]: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--follow[wait for more at the end of a file that is being written, as tail -f does]'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    time)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '--utc[show times in UTC instead of local time]'
            '--plot=-[draw plots in the terminal, or into FILE (.svg, .png)]::FILE:_files'
            '--ascii[draw with ASCII characters only (default\: what the locale can show)]'
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    publish)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '--sentences=[send or write only these NMEA sentences, as in GGA,RMC,GST (default GGA,GSA,GSV,VTG,GST,ZDA,RMC; GLL exists too)]:TYPE,...:(GGA GSA GSV VTG GLL GST ZDA RMC)'
            '--text[print text for people (default)]'
            '--utc[show times in UTC instead of local time]'
            '(-n --count)-n+[end after N positions; revisions do not count]:N: '
            '(-n --count)--count=[end after N positions; revisions do not count]:N: '
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '(-a --accuracy)-a+[only positions at least as accurate as METRES]:METRES: '
            '(-a --accuracy)--accuracy=[only positions at least as accurate as METRES]:METRES: '
            '--max-age=[only positions that are at most DURATION old; in a fleet those older than 10m are late by default]:DURATION: '
            '(-d --distance)-d+[only positions at least METRES from the last one]:METRES: '
            '(-d --distance)--distance=[only positions at least METRES from the last one]:METRES: '
            '(-i --interval)-i+[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '(-i --interval)--interval=[at most one position per DURATION, by the receiver'\''s clock; it may be half a cycle early]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--dwell=[time inside a fence that counts as staying (default 5m)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--follow[wait for more at the end of a file that is being written, as tail -f does]'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--metrics-file=[keep the metrics of the session in FILE for Prometheus, as in /var/lib/prometheus/node-exporter/locwatch.prom]:FILE:_files'
            '*--on=[run COMMAND at EVENT\: found, lost, error, handover, inside\:NAME, enter\:NAME, exit\:NAME, dwell\:NAME, integrity, alarm, stationary, moving or every; can be given several times]:EVENT=COMMAND:_locwatch_hooks'
            '--on-timeout=[end a command that runs longer than DURATION (default 30s)]:DURATION: '
            '--on-replay[run commands also while a recording is played]'
            '--on-shell[run commands with /bin/sh -c]'
            '*--to=[publish to TARGET too; can be given several times]:TARGET:(mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://)'
            '--config=[read targets and options from FILE, one per line, as in '\''to mqtt\://HOST/...'\'']:FILE:_files'
            '--check[check the settings, show them as text and exit]'
            '--angle=[publish when the course has changed by DEGREES]:DEGREES: '
            '--heartbeat=[publish the position again after DURATION, at least 1s, without a message]:DURATION: '
            '--queue=[keep what is not sent yet in the folder DIR (default in ~/.local/state/locwatch)]:DIR:_files'
            '--no-queue[keep what is not sent yet in memory only]'
            '--from-start[send a new target what is queued already, not only what follows]'
            '--queue-size=[drop the oldest records beyond SIZE (default 64MiB)]:SIZE: '
            '--queue-age=[drop records older than DURATION, at least 60s (default never)]:DURATION: '
            '--backlog-rate=[send at most N old records per second after an outage (default 100)]:N|unlimited:(unlimited)'
            '--no-backlog[send no old records after an outage]'
            '--skip-rejected[skip a record that a target refuses, instead of waiting]'
            '--device-name=[name of this machine for the targets (default its host name)]:NAME: '
            '--tracker-id=[OwnTracks\: the characters on the map (default the last two of the device)]:ID: '
            '--client-id=[MQTT\: the name of the connection, which must be unique (default from the host name and the target)]:ID: '
            '--discovery-prefix=[Home Assistant\: the first part of the topics (default homeassistant)]:TOPIC: '
            '*--header=[HTTP\: send this header too; can be given several times]:NAME\:VALUE: '
            '--method=[webhook\: the method (default get for an address with values, else post)]:get|post|put|patch:(get post put patch)'
            '--body=[webhook\: the body, with values such as %{lat} (default the JSON of a position)]:TEMPLATE: '
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    web)
        specs=(
            '--units=[use these units in text and templates (default metric)]:metric|imperial|nautical:(metric imperial nautical)'
            '--precision=[write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)]:DIGITS|full:(full)'
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '*--fence=[report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of '\''once'\'' tells whether it is inside, and '\''monitor'\'' shows it; can be given several times]:NAME=LAT,LON,RADIUS: '
            '--dwell=[time inside a fence that counts as staying (default 5m)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--metrics-file=[keep the metrics of the session in FILE for Prometheus, as in /var/lib/prometheus/node-exporter/locwatch.prom]:FILE:_files'
            '*--on=[run COMMAND at EVENT\: found, lost, error, handover, inside\:NAME, enter\:NAME, exit\:NAME, dwell\:NAME, integrity, alarm, stationary, moving or every; can be given several times]:EVENT=COMMAND:_locwatch_hooks'
            '--on-timeout=[end a command that runs longer than DURATION (default 30s)]:DURATION: '
            '--on-replay[run commands also while a recording is played]'
            '--on-shell[run commands with /bin/sh -c]'
            '--listen=[listen at ADDRESS (default\: this machine only)]:ADDRESS[\:PORT]: '
            '--port=[listen at PORT (default serve\: 2947, or a free port if it is taken, web\: 8080); '\''serve --port 0'\'' takes a free one]:PORT: '
            '--token-file=[serve only those who have the token in FILE, which others must not be able to read (default LOCWATCH_TOKEN, or the credential token of systemd, else no token)]:FILE:_files'
            '--tiles=[load the tiles of the map from URL, as in https\://HOST/{z}/{x}/{y}.png (default none)]:URL: '
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    devices)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '--utc[show times in UTC instead of local time]'
            '--watch[keep running and print changes]'
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-x --duration)-x+[end after DURATION]:DURATION: '
            '(-x --duration)--duration=[end after DURATION]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    doctor)
        specs=(
            '(-j --json)-j[print JSON, one object per line (locwatch help schema)]'
            '(-j --json)--json[print JSON, one object per line (locwatch help schema)]'
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--stale=[treat a position as lost after DURATION without a new one (default three times its receiver'\''s reporting interval, from 3s to 60s; 1d in a track)]:DURATION: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--device-name=[name of this machine for the targets (default its host name)]:NAME: '
            '--client-id=[MQTT\: the name of the connection, which must be unique (default from the host name and the target)]:ID: '
            '*--header=[HTTP\: send this header too; can be given several times]:NAME\:VALUE: '
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '--color=[use colour (default auto\: on a terminal, unless NO_COLOR is set or TERM is dumb)]:auto|always|never:(auto always never)'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    serve)
        specs=(
            '--device=[use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name]:PATH:_locwatch_devices'
            '--pace=[play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve\: recorded, else max)]:recorded|max|Nx:(recorded max 10x)'
            '--speed=[give the points of a track that have no times those of a journey at SPEED, as in 50km/h]:SPEED: '
            '--corrections=[give a serial receiver corrections (RTCM 3) from a caster, as in ntrip\://USER@HOST\:2101/MOUNT, from tcp\://HOST\:PORT, or from a named pipe; gpsd then writes to the receiver]:URL:(ntrip:// tcp://)'
            '--no-reconnect[end when the connection breaks]'
            '--listen=[listen at ADDRESS (default\: this machine only)]:ADDRESS[\:PORT]: '
            '--port=[listen at PORT (default serve\: 2947, or a free port if it is taken, web\: 8080); '\''serve --port 0'\'' takes a free one]:PORT: '
            '--loop[start again at the end]'
            '--redate[shift the dates so that the session appears to happen now]'
            '--fault=[begin a fault, at a time, at a rate or at random; can be given several times (locwatch help faults)]:NAME[=VALUE][@TIME][/EVERY][~SEED]:(lose unplug silence refuse restart hangup reset cut garbage utf8 long delay slow partial version ssh http mute close deny devices)'
            '--script=[perform the steps in FILE (locwatch help faults)]:FILE:_files'
            '--clock=[manual\: time passes only by the command step of the control socket]:system|manual:(system manual)'
            '--control=[make a Unix socket through which '\''locwatch control'\'' drives it]:PATH:_files'
            '--pty=[also give NMEA on a pseudo terminal, as a serial receiver does]:PATH:_files'
            '--print-port[print the port alone on the first line of standard output]'
            '--ready-fd=[write the port to the descriptor N and close it when clients can connect]:N: '
            '--password-file=[read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)]:FILE:_files'
            '--ca-file=[trust the certificate authorities in FILE (default the system'\''s)]:FILE:_files'
            '--cert=[present the client certificate in FILE, which also has its key unless --key is given]:FILE:_files'
            '--key=[the file with the key of the client certificate]:FILE:_files'
            '(-q --quiet)-q[print only fatal errors on standard error]'
            '(-q --quiet)--quiet[print only fatal errors on standard error]'
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
            '(-h --help)-h[show help]'
            '(-h --help)--help[show help]'
            '(-V --version)-V[show the version]'
            '(-V --version)--version[show the version]'
        )
        ;;
    control)
        specs=(
            '(-t --timeout)-t+[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
            '(-t --timeout)--timeout=[give up if there is no good position or answer within DURATION of the start (default once\: 1m, doctor\: 15s, control\: 10s, else never)]:DURATION: '
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
            '(-v --verbose)-v[print session events besides positions on standard error]'
            '(-v --verbose)--verbose[print session events besides positions on standard error]'
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
    monitor) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    once) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    record) specs+=('1: :' '2:FILE:_files' '3:SOURCE:_locwatch_source') ;;
    export) specs+=('1: :' '2:FORMAT:(gpx geojson kml csv nmea json)' '3:SOURCE:_locwatch_source') ;;
    stats) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    time) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    publish) specs+=('1: :' '2:TARGET:(mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://)' '3:SOURCE:_locwatch_source') ;;
    web) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    devices) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    doctor) specs+=('1: :' '2:SOURCE|TARGET|geoclue:_locwatch_source') ;;
    serve) specs+=('1: :' '2:SOURCE:_locwatch_source') ;;
    control) specs+=('1: :' '2:PATH:_files' '3:WORD...:(status wait lose restore move jump fault clear refuse accept step requests)') ;;
    completions) specs+=('1: :' '2:SHELL:(bash zsh fish)') ;;
    help) specs+=('1: :' '2:TOPIC:(watch monitor once record export stats time publish web devices doctor serve control completions help version template sim faults schema manual)') ;;
    version) specs+=('1: :') ;;
    esac
    _arguments -s -S $specs
}

if [[ $funcstack[1] == _locwatch ]]; then
    _locwatch "$@"
else
    compdef _locwatch locwatch
fi
