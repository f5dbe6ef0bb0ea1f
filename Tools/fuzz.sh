#!/bin/sh
# Fuzzes the decoder and the line reader for so many seconds (60 if not told), with AddressSanitizer.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=.build/fuzz
mkdir -p "$build/corpus"
# One module of both rooms: their imports of one another go.
rm -rf "$build/sources"
mkdir -p "$build/sources"
for file in Sources/LocationCore/*.swift Sources/GPSDReports/*.swift Fuzz/*.swift; do
    sed -E '/^((public|package) )?import LocationCore$/d; s/LocationCore\.//g' "$file" >"$build/sources/$(basename "$file")"
done
swiftc -O -wmo -sanitize=fuzzer,address -parse-as-library -module-name Fuzz -package-name locwatch -swift-version 5 \
    -enable-upcoming-feature ExistentialAny "$build"/sources/*.swift -o "$build/fuzz-decoder"
exec "$build/fuzz-decoder" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$build/" -dict=Fuzz/json.dict "$build/corpus" Fuzz/Seeds
