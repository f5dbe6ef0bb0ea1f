#!/bin/bash
# Tests a program that reads gpspipe: it must notice that the fix is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT

# The fixture: a stand-in for gpsd on a free port, which tells its port when clients can connect.
exec 3< <(exec locwatch serve -q --port 0 --print-port --pace manual --control "$folder/control" sim:walk)
server=$!
read -r port <&3
gpsd() { locwatch control "$folder/control" "$@" >/dev/null; }

gpspipe -w "localhost:$port" >"$folder/reports" &
reader=$!
gpsd wait clients 1
gpsd step 5s
gpsd lose
gpsd step 5s
gpsd wait read
kill "$reader"
wait "$reader" 2>/dev/null || true

found=$(grep -c '"mode":3' "$folder/reports")
lost=$(grep -c '"mode":1' "$folder/reports")
echo "$found reports with a fix, $lost without"
[[ $found == 6 && $lost == 5 ]]
