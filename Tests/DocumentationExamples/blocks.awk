# Writes the Swift blocks of a page to a file, without the manifests of packages.
BEGIN {
    modules = "Foundation GPSDSimulation LocationCore LocationFoundation LocationGPSD LocationObservation LocationPublishing" \
        " LocationPublishingTesting GPSDProtocol LocationRecordingsTesting LocationTesting LocationTracks Testing"
    for (count = split(modules, names, " "); count > 0; count--) print "import " names[count] > file
}
/```.*[Ss]wift/ && !/^```swift$/ {
    print FILENAME ":" FNR ": error: a block of Swift begins with ```swift at the beginning of a line" > "/dev/stderr"
    exit 1
}
/^```$/ { isInside = 0 }
isFirst && !/^\/\/ swift-tools-version/ { isInside = 1; print "#sourceLocation(file: \"" FILENAME "\", line: " FNR ")" > file }
{ isFirst = /^```swift$/ }
isInside { print > file }
