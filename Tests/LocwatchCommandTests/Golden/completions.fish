# Completions of locwatch for fish, printed by: locwatch completions fish
function __locwatch_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word watch monitor once record export stats time publish web devices doctor serve control completions help version
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
    for device in /dev/serial/by-id/* /dev/gps* /dev/ttyACM* /dev/ttyUSB* /dev/ttyAMA* /dev/ttyTHS* /dev/ttymxc* /dev/rfcomm*
        echo $device
    end
end

function __locwatch_sources
    printf '%s\n' sim:standstill sim:walk sim:drive sim:coldstart sim:tunnel sim:indoors sim:flat sim:burst sim:noise sim:rollover sim:future sim:unplug sim:jammed sim:spoofed sim:teleport sim:rtk
    __fish_print_hostnames
    __fish_complete_path (commandline -ct)
end

function __locwatch_hooks
    set -l value (commandline -ct | string replace -r '^--on=' '')
    if string match -q -- '*=*' $value
        set -l event (string replace -r '=.*' '=' -- $value)
        # The names of commands, as at the beginning of a line.
        printf '%s\n' $event(complete -C (string replace -r '^[^=]*=' '' -- $value) | string replace -r '\t.*' '')
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
    printf '%s\n' found= lost= error= handover= inside= inside: enter= enter: exit= exit: dwell= dwell: integrity= alarm= stationary= moving= every=
    if set -q fences[1]
        for event in inside enter exit dwell
            printf '%s\n' $event:$fences=
        end
    end
end

complete -c locwatch -f
complete -c locwatch -k -n '__locwatch_is watch' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is monitor' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is once' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is record' -F
complete -c locwatch -k -n '__locwatch_is record' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is export; and not __fish_seen_subcommand_from gpx geojson kml csv nmea json' -f -a 'gpx geojson kml csv nmea json'
complete -c locwatch -k -n '__locwatch_is export; and __fish_seen_subcommand_from gpx geojson kml csv nmea json' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is stats' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is time' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is publish' -f -a 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://'
complete -c locwatch -k -n '__locwatch_is publish' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is web' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is devices' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is doctor' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is serve' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is control' -F
complete -c locwatch -k -n '__locwatch_is control' -f -a 'status wait lose restore move jump fault clear refuse accept step requests'
complete -c locwatch -k -n '__locwatch_is completions; and not __fish_seen_subcommand_from bash zsh fish' -f -a 'bash zsh fish'
complete -c locwatch -k -n '__locwatch_is help' -f -a 'watch monitor once record export stats time publish web devices doctor serve control completions help version template sim faults schema manual'
# fish shows completions with -k in reverse order.
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a version -d 'print the version of locwatch and of its libgps'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a help -d 'describe a command, the template names, the JSON schema'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a completions -d 'print a completion script for bash, zsh or fish'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a control -d 'drive a \'serve --control PATH\' from a test'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a serve -d 'give any source to any gpsd client, as a gpsd would'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a doctor -d 'find out why there is no fix, and what to do'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a devices -d 'list the receivers of the daemon, or the devices of a fleet'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a web -d 'show the position on a web page, and give metrics'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a publish -d 'send the position to others: MQTT, HTTP, chart plotters'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a time -d 'compare the system clock with the receiver\'s'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a stats -d 'summarize a session: availability, accuracy, scatter'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a export -d 'write a session as GPX, GeoJSON, KML, CSV, NMEA or gpsd JSON'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a record -d 'write a session to a file that can be replayed'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a once -d 'print one position that is good enough, then exit'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a monitor -d 'show the whole picture on one screen'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a watch -d 'follow the position (the default command)'
complete -c locwatch -n '__locwatch_is watch once stats time publish devices doctor' -s j -l json -d 'print JSON, one object per line (locwatch help schema)'
complete -c locwatch -n '__locwatch_is watch once' -s f -l format -r -f -a 'waybar i3blocks i3bar polybar tmux' -d 'print each position with a template, as in \'%{lat} %{lon}\' (locwatch help template lists the names), or the state for a bar: waybar, i3blocks, i3bar, polybar or tmux'
complete -c locwatch -n '__locwatch_is watch once' -l csv -d 'print CSV with a header'
complete -c locwatch -n '__locwatch_is watch once export' -l columns -r -f -a 'time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD baseL baseC errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam stationary integrity error errorEast errorNorth errorUp alt xdop ydop hdop vdop pdop tdop gdop segment all' -d 'write these CSV columns, separated by commas, or all'
complete -c locwatch -n '__locwatch_is once export publish' -l sentences -r -f -a 'GGA GSA GSV VTG GLL GST ZDA RMC' -d 'send or write only these NMEA sentences, as in GGA,RMC,GST (default GGA,GSA,GSV,VTG,GST,ZDA,RMC; GLL exists too)'
complete -c locwatch -n '__locwatch_is watch once publish' -l text -d 'print text for people (default)'
complete -c locwatch -n '__locwatch_is watch' -s s -l states -d 'print only changes of state, no positions'
complete -c locwatch -n '__locwatch_is watch' -l sky -d 'also print satellites, once an epoch (JSON: each report); with --csv, instead of positions'
complete -c locwatch -n '__locwatch_is watch' -l revisions -d 'print every report of an epoch, and of its satellites, instead of one line; JSON always does'
complete -c locwatch -n '__locwatch_is watch monitor once stats' -l degrees -r -f -a 'd dm dms' -d 'write angles in degrees, with minutes, or with seconds (default d)'
complete -c locwatch -n '__locwatch_is watch monitor once stats web' -l units -r -f -a 'metric imperial nautical' -d 'use these units in text and templates (default metric)'
complete -c locwatch -n '__locwatch_is watch monitor once stats time publish devices' -l utc -d 'show times in UTC instead of local time'
complete -c locwatch -n '__locwatch_is watch monitor once web' -l precision -r -f -a 'full' -d 'write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)'
complete -c locwatch -n '__locwatch_is stats time' -l plot -F -d 'draw plots in the terminal, or into FILE (.svg, .png)'
complete -c locwatch -n '__locwatch_is monitor stats time' -l ascii -d 'draw with ASCII characters only (default: what the locale can show)'
complete -c locwatch -n '__locwatch_is devices' -l watch -d 'keep running and print changes'
complete -c locwatch -n '__locwatch_is watch export stats publish' -s n -l count -r -f -d 'end after N positions; revisions do not count'
complete -c locwatch -n '__locwatch_is watch once record export stats publish devices doctor control' -s t -l timeout -r -f -d 'give up if there is no good position or answer within DURATION of the start (default once: 1m, doctor: 15s, control: 10s, else never)'
complete -c locwatch -n '__locwatch_is watch monitor record export stats time publish web devices' -s x -l duration -r -f -d 'end after DURATION'
complete -c locwatch -n '__locwatch_is watch once export publish' -s a -l accuracy -r -f -d 'only positions at least as accurate as METRES'
complete -c locwatch -n '__locwatch_is watch once export publish' -l max-age -r -f -d 'only positions that are at most DURATION old; in a fleet those older than 10m are late by default'
complete -c locwatch -n '__locwatch_is once' -l fix -r -f -a '2d 3d' -d 'wait for at least this kind of fix (default 2d)'
complete -c locwatch -n '__locwatch_is watch export publish' -s d -l distance -r -f -d 'only positions at least METRES from the last one'
complete -c locwatch -n '__locwatch_is watch export publish' -s i -l interval -r -f -d 'at most one position per DURATION, by the receiver\'s clock; it may be half a cycle early'
complete -c locwatch -n '__locwatch_is watch monitor once record export publish web' -l fence -r -f -d 'report in text and JSON when the position enters, leaves or stays in this circle, or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken for 25 m; the exit code of \'once\' tells whether it is inside, and \'monitor\' shows it; can be given several times'
complete -c locwatch -n '__locwatch_is watch monitor stats' -l reference -r -f -d 'compare positions with a point whose place is known: the error of each, and in stats their mean, CEP, worst and drift; HEIGHT is above sea level'
complete -c locwatch -n '__locwatch_is watch record export publish web' -l dwell -r -f -d 'time inside a fence that counts as staying (default 5m)'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l device -r -f -a '(__locwatch_devices)' -d 'use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, also of the last part of a name'
complete -c locwatch -n '__locwatch_is watch export' -l all-devices -d 'print positions and states, or write a track, for every receiver (not with nmea)'
complete -c locwatch -n '__locwatch_is export' -l every -r -f -d 'the same as --interval'
complete -c locwatch -n '__locwatch_is export' -l min-move -r -f -d 'the same as --distance'
complete -c locwatch -n '__locwatch_is export' -l simplify -r -f -d 'drop points that lie within METRES of the simplified line, which keeps the ends of each segment'
complete -c locwatch -n '__locwatch_is watch monitor once export stats time publish web serve' -l pace -r -f -a 'recorded max 10x' -d 'play a recording at its own pace, at full speed, or N times as fast (default watch, web, monitor, serve: recorded, else max)'
complete -c locwatch -n '__locwatch_is watch record export stats publish' -l follow -d 'wait for more at the end of a file that is being written, as tail -f does'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats publish web devices doctor' -l stale -r -f -d 'treat a position as lost after DURATION without a new one (default three times its receiver\'s reporting interval, from 3s to 60s; 1d in a track)'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web serve' -l speed -r -f -d 'give the points of a track that have no times those of a journey at SPEED, as in 50km/h'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l corrections -r -f -a 'ntrip:// tcp://' -d 'give a serial receiver corrections (RTCM 3) from a caster, as in ntrip://USER@HOST:2101/MOUNT, from tcp://HOST:PORT, or from a named pipe; gpsd then writes to the receiver'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices serve' -l no-reconnect -d 'end when the connection breaks'
complete -c locwatch -n '__locwatch_is export' -s o -l output -r -F -d 'write to FILE instead of standard output; %Y-%m-%d etc. become the date'
complete -c locwatch -n '__locwatch_is record export' -l force -d 'overwrite an existing file'
complete -c locwatch -n '__locwatch_is export' -l rotate -r -f -d 'continue in a new file after a time or a size, as in 1h or 10MB'
complete -c locwatch -n '__locwatch_is watch publish web' -l metrics-file -r -F -d 'keep the metrics of the session in FILE for Prometheus, as in /var/lib/prometheus/node-exporter/locwatch.prom'
complete -c locwatch -n '__locwatch_is watch record export publish web' -l on -r -f -a '(__locwatch_hooks)' -d 'run COMMAND at EVENT: found, lost, error, handover, inside:NAME, enter:NAME, exit:NAME, dwell:NAME, integrity, alarm, stationary, moving or every; can be given several times'
complete -c locwatch -n '__locwatch_is watch record export publish web' -l on-timeout -r -f -d 'end a command that runs longer than DURATION (default 30s)'
complete -c locwatch -n '__locwatch_is watch record export publish web' -l on-replay -d 'run commands also while a recording is played'
complete -c locwatch -n '__locwatch_is watch record export publish web' -l on-shell -d 'run commands with /bin/sh -c'
complete -c locwatch -n '__locwatch_is web serve' -l listen -r -f -d 'listen at ADDRESS (default: this machine only)'
complete -c locwatch -n '__locwatch_is web serve' -l port -r -f -d 'listen at PORT (default serve: 2947, or a free port if it is taken, web: 8080); \'serve --port 0\' takes a free one'
complete -c locwatch -n '__locwatch_is serve' -l loop -d 'start again at the end'
complete -c locwatch -n '__locwatch_is web' -l token-file -r -F -d 'serve only those who have the token in FILE, which others must not be able to read (default LOCWATCH_TOKEN, or the credential token of systemd, else no token)'
complete -c locwatch -n '__locwatch_is web' -l tiles -r -f -d 'load the tiles of the map from URL, as in https://HOST/{z}/{x}/{y}.png (default none)'
complete -c locwatch -n '__locwatch_is serve' -l redate -d 'shift the dates so that the session appears to happen now'
complete -c locwatch -n '__locwatch_is serve' -l fault -r -f -a 'lose unplug silence refuse restart hangup reset cut garbage utf8 long delay slow partial version ssh http mute close deny devices' -d 'begin a fault, at a time, at a rate or at random; can be given several times (locwatch help faults)'
complete -c locwatch -n '__locwatch_is serve' -l script -r -F -d 'perform the steps in FILE (locwatch help faults)'
complete -c locwatch -n '__locwatch_is serve' -l clock -r -f -a 'system manual' -d 'manual: time passes only by the command step of the control socket'
complete -c locwatch -n '__locwatch_is serve' -l control -r -F -d 'make a Unix socket through which \'locwatch control\' drives it'
complete -c locwatch -n '__locwatch_is serve' -l pty -r -F -d 'also give NMEA on a pseudo terminal, as a serial receiver does'
complete -c locwatch -n '__locwatch_is serve' -l print-port -d 'print the port alone on the first line of standard output'
complete -c locwatch -n '__locwatch_is serve' -l ready-fd -r -f -d 'write the port to the descriptor N and close it when clients can connect'
complete -c locwatch -n '__locwatch_is publish' -l to -r -f -a 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://' -d 'publish to TARGET too; can be given several times'
complete -c locwatch -n '__locwatch_is once' -l publish -r -f -a 'mqtt:// mqtts:// mqtt+ha:// mqtts+ha:// owntracks+http:// owntracks+https:// traccar:// traccars:// overland+http:// overland+https:// http:// https:// udp:// tcp-listen:// pty: fifo: unix-listen: file: cot+udp://' -d 'publish the position to TARGET, and succeed only when it was taken'
complete -c locwatch -n '__locwatch_is publish' -l config -r -F -d 'read targets and options from FILE, one per line, as in \'to mqtt://HOST/...\''
complete -c locwatch -n '__locwatch_is publish' -l check -d 'check the settings, show them as text and exit'
complete -c locwatch -n '__locwatch_is publish' -l angle -r -f -d 'publish when the course has changed by DEGREES'
complete -c locwatch -n '__locwatch_is publish' -l heartbeat -r -f -d 'publish the position again after DURATION, at least 1s, without a message'
complete -c locwatch -n '__locwatch_is publish' -l queue -r -F -d 'keep what is not sent yet in the folder DIR (default in ~/.local/state/locwatch)'
complete -c locwatch -n '__locwatch_is publish' -l no-queue -d 'keep what is not sent yet in memory only'
complete -c locwatch -n '__locwatch_is publish' -l from-start -d 'send a new target what is queued already, not only what follows'
complete -c locwatch -n '__locwatch_is publish' -l queue-size -r -f -d 'drop the oldest records beyond SIZE (default 64MiB)'
complete -c locwatch -n '__locwatch_is publish' -l queue-age -r -f -d 'drop records older than DURATION, at least 60s (default never)'
complete -c locwatch -n '__locwatch_is publish' -l backlog-rate -r -f -a 'unlimited' -d 'send at most N old records per second after an outage (default 100)'
complete -c locwatch -n '__locwatch_is publish' -l no-backlog -d 'send no old records after an outage'
complete -c locwatch -n '__locwatch_is publish' -l skip-rejected -d 'skip a record that a target refuses, instead of waiting'
complete -c locwatch -n '__locwatch_is once publish doctor' -l device-name -r -f -d 'name of this machine for the targets (default its host name)'
complete -c locwatch -n '__locwatch_is once publish' -l tracker-id -r -f -d 'OwnTracks: the characters on the map (default the last two of the device)'
complete -c locwatch -n '__locwatch_is once publish doctor' -l client-id -r -f -d 'MQTT: the name of the connection, which must be unique (default from the host name and the target)'
complete -c locwatch -n '__locwatch_is once publish' -l discovery-prefix -r -f -d 'Home Assistant: the first part of the topics (default homeassistant)'
complete -c locwatch -n '__locwatch_is once publish doctor' -l header -r -f -d 'HTTP: send this header too; can be given several times'
complete -c locwatch -n '__locwatch_is once publish' -l method -r -f -a 'get post put patch' -d 'webhook: the method (default get for an address with values, else post)'
complete -c locwatch -n '__locwatch_is once publish' -l body -r -f -d 'webhook: the body, with values such as %{lat} (default the JSON of a position)'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l password-file -r -F -d 'read the password of the user from FILE, which others must not be able to read (default LOCWATCH_PASSWORD, or the credential password of systemd)'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l ca-file -r -F -d 'trust the certificate authorities in FILE (default the system\'s)'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l cert -r -F -d 'present the client certificate in FILE, which also has its key unless --key is given'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve' -l key -r -F -d 'the file with the key of the client certificate'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor' -l color -r -f -a 'auto always never' -d 'use colour (default auto: on a terminal, unless NO_COLOR is set or TERM is dumb)'
complete -c locwatch -n '__locwatch_is watch once record export stats time publish web devices doctor serve' -s q -l quiet -d 'print only fatal errors on standard error'
complete -c locwatch -n '__locwatch_is watch once record export stats time publish web devices doctor serve version' -s v -l verbose -d 'print session events besides positions on standard error'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve control completions help version' -s h -l help -d 'show help'
complete -c locwatch -n '__locwatch_is watch monitor once record export stats time publish web devices doctor serve control completions help version' -s V -l version -d 'show the version'
