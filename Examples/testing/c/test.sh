#!/bin/bash
# Builds reader.c and tests it: the receiver is moved to Sydney.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cc -Wall -o "$folder/reader" reader.c -lgps

exec 3< <(exec locwatch serve -q --port 0 --print-port --pace manual --control "$folder/control" sim:standstill)
server=$!
read -r port <&3
gpsd() { locwatch control "$folder/control" "$@" >/dev/null; }

"$folder/reader" "$port" 4 >"$folder/out" &
gpsd wait clients 1
gpsd step 1s
gpsd move -33.86,151.21
gpsd step 2s
wait "$!"
cat "$folder/out"
[[ $(tail -1 "$folder/out") == "3 -33.860 151.210" ]]
