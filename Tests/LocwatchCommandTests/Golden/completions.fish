# Completions of locwatch for fish, printed by: locwatch completions fish
function __locwatch_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word watch once record export stats devices doctor serve completions help version
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
    printf '%s\n' sim:standstill sim:walk sim:drive sim:coldstart sim:tunnel sim:indoors sim:flat sim:burst sim:noise sim:rollover sim:future sim:unplug
    __fish_print_hostnames
    __fish_complete_path (commandline -ct)
end

complete -c locwatch -f
complete -c locwatch -k -n '__locwatch_is watch' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is once' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is record' -F
complete -c locwatch -k -n '__locwatch_is record' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is export' -f -a 'gpx geojson kml csv nmea json'
complete -c locwatch -k -n '__locwatch_is export' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is stats' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is devices' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is doctor' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is serve' -f -a '(__locwatch_sources)'
complete -c locwatch -k -n '__locwatch_is completions' -f -a 'bash zsh fish'
complete -c locwatch -k -n '__locwatch_is help' -f -a 'watch once record export stats devices doctor serve completions help version template schema manual'
# Of what keeps its order fish shows the last first.
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a version -d 'print the version'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a help -d 'tell about a command, the template names, the JSON schema'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a completions -d 'print a completion script for bash, zsh or fish'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a serve -d 'play a recording to any gpsd client, as a gpsd would'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a doctor -d 'find out why there is no fix, and what to do'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a devices -d 'list the receivers that the daemon knows'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a stats -d 'show a session in figures'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a export -d 'write a session as GPX, GeoJSON, KML, CSV, NMEA or gpsd JSON'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a record -d 'write a session to a file that can be replayed'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a once -d 'print one position that is good enough, then exit'
complete -c locwatch -k -n 'test -z (__locwatch_command)' -a watch -d 'follow the position (the default command)'
complete -c locwatch -n '__locwatch_is watch once stats devices doctor' -s j -l json -d 'print JSON, one object a line (locwatch help schema)'
complete -c locwatch -n '__locwatch_is watch once' -s f -l format -r -f -d 'print each position in a form of your own, as in \'%{lat} %{lon}\' (locwatch help template lists the names)'
complete -c locwatch -n '__locwatch_is watch once' -l csv -d 'print CSV with a header'
complete -c locwatch -n '__locwatch_is watch once export' -l columns -r -f -a 'time lat lon altMSL altHAE mode quality eph epv speed course climb device used seen received revision late epx epy sep ept eps epd epc courseMagnetic magvar geoidSep status ecefx ecefy ecefz ecefvx ecefvy ecefvz ecefpAcc ecefvAcc velN velE velD relN relE relD errEllMaj errEllMin errEllOr dgpsAge dgpsSta leapseconds datum depth temp wtemp wangler wanglem wanglet wspeedr wspeedt ant jam alt xdop ydop hdop vdop pdop tdop gdop segment all' -d 'write these columns of CSV, separated by commas, or all'
complete -c locwatch -n '__locwatch_is watch once' -l text -d 'print text for people, the default'
complete -c locwatch -n '__locwatch_is watch' -s s -l states -d 'print changes of state only, no positions'
complete -c locwatch -n '__locwatch_is watch' -l sky -d 'print the satellites too; with --csv instead of positions'
complete -c locwatch -n '__locwatch_is watch' -l revisions -d 'print every report of an epoch, and not one line for each epoch; JSON always does'
complete -c locwatch -n '__locwatch_is watch once stats' -l degrees -r -f -a 'd dm dms' -d 'write angles as degrees, degrees and minutes, or with seconds (default d)'
complete -c locwatch -n '__locwatch_is watch once stats' -l units -r -f -a 'metric imperial nautical' -d 'use these units in text and templates (default metric)'
complete -c locwatch -n '__locwatch_is watch once stats devices' -l utc -d 'show times in UTC, and not in local time'
complete -c locwatch -n '__locwatch_is watch once' -l precision -r -f -a 'full' -d 'write coordinates with so many decimals, or as exactly as they came (default 7)'
complete -c locwatch -n '__locwatch_is stats' -l plot -F -d 'draw pictures in the terminal, or into FILE (.svg, .png)'
complete -c locwatch -n '__locwatch_is devices' -l watch -d 'follow plugging and unplugging'
complete -c locwatch -n '__locwatch_is watch export stats' -s n -l count -r -f -d 'end after N positions; revisions do not count'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor' -s t -l timeout -r -f -d 'give up when there is no good position within DURATION (once: 1m, doctor: 15s, else never)'
complete -c locwatch -n '__locwatch_is watch record export stats devices' -s x -l duration -r -f -d 'end after DURATION'
complete -c locwatch -n '__locwatch_is watch once export' -s a -l accuracy -r -f -d 'only positions at least as accurate as METRES'
complete -c locwatch -n '__locwatch_is watch once export' -l max-age -r -f -d 'only positions that are at most as old as DURATION'
complete -c locwatch -n '__locwatch_is once' -l fix -r -f -a '2d 3d' -d 'wait for at least a fix of this kind (default 2d)'
complete -c locwatch -n '__locwatch_is watch export' -s d -l distance -r -f -d 'only positions at least METRES from the last one'
complete -c locwatch -n '__locwatch_is watch export' -s i -l interval -r -f -d 'at most one position in DURATION, by the receiver\'s clock; one may be half a cycle early'
complete -c locwatch -n '__locwatch_is watch' -l fence -r -f -d 'tell, in text and JSON, when a position is inside this circle at the start, and when it is entered, left and stayed in; may be given several times'
complete -c locwatch -n '__locwatch_is watch' -l dwell -r -f -d 'how long inside a fence counts as staying (default 5m)'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor' -l device -r -f -a '(__locwatch_devices)' -d 'only this receiver of the daemon'
complete -c locwatch -n '__locwatch_is watch export' -l all-devices -d 'the positions and states of every receiver, and a track for each (not with nmea)'
complete -c locwatch -n '__locwatch_is export' -l every -r -f -d 'another name of --interval'
complete -c locwatch -n '__locwatch_is export' -l min-move -r -f -d 'another name of --distance'
complete -c locwatch -n '__locwatch_is export' -l simplify -r -f -d 'leave out points that lie within METRES of the line without them'
complete -c locwatch -n '__locwatch_is watch once export stats serve' -l pace -r -f -a 'recorded max 10x' -d 'play a recording as it was recorded, as fast as it goes, or 10 times as fast (watch, serve: recorded, else max)'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor' -l stale -r -f -d 'how long a position stays current without a new one (default three times the interval at which its receiver reports, from 3s to 60s)'
complete -c locwatch -n '__locwatch_is watch once record export stats devices' -l no-reconnect -d 'end when the connection breaks'
complete -c locwatch -n '__locwatch_is export' -s o -l output -r -F -d 'write to FILE instead of standard output; %Y-%m-%d and the like become the date'
complete -c locwatch -n '__locwatch_is record export' -l force -d 'overwrite an existing file'
complete -c locwatch -n '__locwatch_is export' -l rotate -r -f -d 'go on in a new file after a time or a size, as in 1h or 10MB'
complete -c locwatch -n '__locwatch_is serve' -l listen -r -f -d 'listen at ADDRESS (default this machine only)'
complete -c locwatch -n '__locwatch_is serve' -l port -r -f -d 'listen at PORT (default 2947, or a free one if it is taken)'
complete -c locwatch -n '__locwatch_is serve' -l loop -d 'begin again at the end'
complete -c locwatch -n '__locwatch_is serve' -l redate -d 'shift the dates, so that the session seems to happen now'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor' -l color -r -f -a 'auto always never' -d 'use colour (default auto: on a terminal, unless NO_COLOR is set or TERM is dumb)'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor serve' -s q -l quiet -d 'say nothing on standard error but errors that end the program'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor' -s v -l verbose -d 'say on standard error what the session tells besides positions'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor serve completions help version' -s h -l help -d 'show help'
complete -c locwatch -n '__locwatch_is watch once record export stats devices doctor serve completions help version' -s V -l version -d 'show the version'
