#!/bin/sh
# Fuzzes the decoder, then all output formats, for FUZZ_SECONDS each (default 60), with AddressSanitizer.
# Usage: fuzz.sh [decoder|outputs]
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
build=.build-fuzz
# Builds all modules that a fuzzer imports once; their objects are linked with each fuzzer below.
swift build -c release --target LocwatchCommand --scratch-path "$build" \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
modules=$build/release

# fuzz NAME LENGTH FILE...: builds a fuzzer of these files and runs it on inputs of at most LENGTH bytes.
fuzz() {
    name=$1 length=$2
    shift 2
    objects=
    for module in CPlatform Platform LocationCore GPSDReports LocationTracks LocationGPSD GPSDSimulation LocwatchCommand; do
        objects="$objects $(echo "$modules/$module.build"/*.o)"
    done
    mkdir -p "$build/corpus-$name"
    # Word splitting is intended here.
    # shellcheck disable=SC2046,SC2086
    swiftc -O -wmo -sanitize=fuzzer,address -parse-as-library -module-name "Fuzz" -swift-version 6 \
        -enable-upcoming-feature ExistentialAny -I "$modules/Modules" \
        -Xcc "-fmodule-map-file=$modules/CPlatform.build/module.modulemap" -Xcc -fmodule-map-file=Sources/CGPSD/module.modulemap \
        "$@" $objects $(pkg-config --libs libgps) -o "$build/fuzz-$name"
    "$build/fuzz-$name" -max_total_time="$seconds" -max_len="$length" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" -dict=Fuzz/json.dict "$build/corpus-$name" Fuzz/Seeds
}

case ${1:-all} in
decoder | all) fuzz decoder 4096 Fuzz/FuzzDecoder.swift ;;
esac
case ${1:-all} in
outputs | all) fuzz outputs 2048 Fuzz/FuzzOutputs.swift Fuzz/HostileSession.swift ;;
esac
