// Made by Tools/build/embed-schema from Schema/locwatch-1.schema.json.

/// The JSON Schema of the output of --json.
enum JSONSchema {
    static let text = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "urn:locwatch:schema:1",
          "title": "locwatch/1",
          "description": "One line of the output of locwatch --json. Unknown values are absent. The meaning of a key never changes within a version of the schema; new keys and new values of code and reason may be added, so a reader must ignore unknown ones. Lengths are metres, speeds metres a second, angles degrees, durations seconds, times RFC 3339 in UTC with milliseconds.",
          "type": "object",
          "required": ["event"],
          "oneOf": [
            { "$ref": "#/$defs/start" },
            { "$ref": "#/$defs/state" },
            { "$ref": "#/$defs/handover" },
            { "$ref": "#/$defs/location" },
            { "$ref": "#/$defs/sky" },
            { "$ref": "#/$defs/device" },
            { "$ref": "#/$defs/notice" },
            { "$ref": "#/$defs/error" },
            { "$ref": "#/$defs/fence" },
            { "$ref": "#/$defs/delivery" },
            { "$ref": "#/$defs/stats" },
            { "$ref": "#/$defs/clock" },
            { "$ref": "#/$defs/pulse" },
            { "$ref": "#/$defs/clockFigures" },
            { "$ref": "#/$defs/check" },
            { "$ref": "#/$defs/diagnosis" },
            { "$ref": "#/$defs/end" }
          ],
          "$defs": {
            "time": {
              "description": "1970-01-01T00:00:00.000Z throughout, if no line of the recording has a time.",
              "type": "string",
              "format": "date-time",
              "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
            },
            "latitude": { "type": "number", "minimum": -90, "maximum": 90, "description": "Degrees north of the equator, WGS 84." },
            "longitude": { "type": "number", "minimum": -180, "maximum": 180, "description": "Degrees east of Greenwich, WGS 84." },
            "accuracy": { "type": "number", "minimum": 0, "description": "An estimate of the receiver or of gpsd, nominally of 95 % confidence." },
            "count": { "type": "integer", "minimum": 0 },
            "path": { "type": "string", "minLength": 1, "description": "The receiver, as gpsd names it, or the topic of a device." },
            "stateName": { "enum": ["searching", "found", "error"] },
            "errorCode": {
              "type": "string",
              "minLength": 1,
              "description": "unreachable, unresolvable, notGPSD, connectionLost, denied, daemon, deviceUnknown, deviceUnusable, broker, daemonUnavailable, unreadable, notASession, damaged, programMissing, track, untimed, library, noFix, cancelled, or another."
            },
            "start": {
              "description": "The first line, which names the schema of the others.",
              "type": "object",
              "properties": {
                "event": { "const": "start" },
                "schema": { "const": "locwatch/1" },
                "version": { "type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+", "description": "The version of locwatch." },
                "source": { "type": "string", "pattern": "^[a-z+-]+:", "description": "The SOURCE in full; with doctor it can be a TARGET." }
              },
              "required": ["event", "schema", "version", "source"]
            },
            "state": {
              "description": "The state of the session has changed, or with deviceState, of --all-devices, that of one receiver.",
              "type": "object",
              "properties": {
                "event": { "enum": ["state", "deviceState"] },
                "time": { "$ref": "#/$defs/time" },
                "from": { "$ref": "#/$defs/stateName" },
                "to": { "$ref": "#/$defs/stateName" },
                "reason": {
                  "type": "string",
                  "minLength": 1,
                  "description": "fix when found; starting, connecting, connected, noDevice, noFix, deviceLost, deviceUnopenable, deviceSilent, deviceBabbling or silent when searching; an error's code when error."
                },
                "after": { "type": "number", "minimum": 0, "description": "The duration of the old state." },
                "searchedFor": { "type": "number", "minimum": 0, "description": "When found: the duration of the search, from the start or from the loss of the last position." },
                "mode": { "enum": [2, 3], "description": "2 for a fix in two dimensions, 3 for one in three." },
                "device": { "$ref": "#/$defs/path" },
                "seen": { "$ref": "#/$defs/count" },
                "used": { "$ref": "#/$defs/count" },
                "best": { "type": "number", "description": "The strongest signal, dB-Hz." },
                "path": { "$ref": "#/$defs/path" },
                "release": { "type": "string", "description": "The release of gpsd." },
                "attempt": { "type": "integer", "minimum": 1 },
                "silence": { "type": "number", "minimum": 0, "description": "The time without a report." },
                "message": { "type": "string", "description": "For people." }
              },
              "required": ["event", "time", "from", "to", "reason", "after"],
              "allOf": [
                {
                  "if": { "properties": { "to": { "const": "found" } }, "required": ["to"] },
                  "then": { "properties": { "reason": { "const": "fix" } }, "required": ["mode"] }
                }
              ]
            },
            "handover": {
              "description": "Another receiver's position is the current one from now on; the state stays found.",
              "type": "object",
              "properties": {
                "event": { "const": "handover" },
                "time": { "$ref": "#/$defs/time" },
                "from": { "$ref": "#/$defs/path" },
                "to": { "$ref": "#/$defs/path" },
                "reason": {
                  "type": "string",
                  "minLength": 1,
                  "description": "better after the other receiver was clearly better for 10 s; else why the current one was lost: silent, noFix, deviceLost, …"
                }
              },
              "required": ["event", "time", "reason"]
            },
            "location": {
              "description": "A position; lastKnown is the last one that a broker has kept of a device, which is not current.",
              "type": "object",
              "properties": {
                "event": { "enum": ["location", "lastKnown"] },
                "time": { "$ref": "#/$defs/time", "description": "When the receiver was there, by its own clock." },
                "lat": { "$ref": "#/$defs/latitude" },
                "lon": { "$ref": "#/$defs/longitude" },
                "altMSL": { "type": "number", "description": "Height above mean sea level." },
                "altHAE": { "type": "number", "description": "Height above the WGS 84 ellipsoid." },
                "mode": { "enum": [2, 3], "description": "2 for a fix in two dimensions, 3 for one in three." },
                "quality": {
                  "enum": ["differential", "rtkFixed", "rtkFloat", "deadReckoning", "satellitesAndDeadReckoning", "surveyedTime", "simulated", "precisionCode", "other"],
                  "description": "The augmentation of the fix; absent for an ordinary fix."
                },
                "status": { "type": "integer", "description": "gpsd's number for a quality that is other." },
                "eph": { "$ref": "#/$defs/accuracy", "description": "Accuracy on the ground, as a radius." },
                "epv": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the altitude." },
                "epx": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the longitude, metres." },
                "epy": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the latitude, metres." },
                "sep": { "$ref": "#/$defs/accuracy", "description": "Accuracy in three dimensions." },
                "ept": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the time, seconds." },
                "eps": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the speed." },
                "epd": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the course, degrees." },
                "epc": { "$ref": "#/$defs/accuracy", "description": "Accuracy of the climb." },
                "speed": { "type": "number", "description": "Speed over ground." },
                "course": { "type": "number", "description": "Direction of movement, clockwise from true north." },
                "courseMagnetic": { "type": "number", "description": "Direction of movement, clockwise from magnetic north." },
                "magvar": { "type": "number", "description": "The angle of magnetic north east of true north." },
                "climb": { "type": "number", "description": "Speed upwards." },
                "geoidSep": { "type": "number", "description": "The height of the geoid above the ellipsoid." },
                "device": { "$ref": "#/$defs/path" },
                "used": { "$ref": "#/$defs/count", "description": "Satellites that the fix is made of." },
                "seen": { "$ref": "#/$defs/count", "description": "Satellites that the receiver sees." },
                "received": { "$ref": "#/$defs/time", "description": "When the report arrived." },
                "revision": { "type": "integer", "minimum": 1, "description": "1, 2, … for a later report of the same epoch that changes or adds a field; absent for the first." },
                "late": { "const": true, "description": "The receiver had already reported a later epoch." },
                "ecefx": { "type": "number", "description": "Position in earth-centred, earth-fixed axes." },
                "ecefy": { "type": "number" },
                "ecefz": { "type": "number" },
                "ecefvx": { "type": "number", "description": "Velocity in earth-centred, earth-fixed axes." },
                "ecefvy": { "type": "number" },
                "ecefvz": { "type": "number" },
                "ecefpAcc": { "$ref": "#/$defs/accuracy" },
                "ecefvAcc": { "$ref": "#/$defs/accuracy" },
                "velN": { "type": "number", "description": "Velocity north." },
                "velE": { "type": "number", "description": "Velocity east." },
                "velD": { "type": "number", "description": "Velocity down." },
                "relN": { "type": "number", "description": "Position north of an RTK base." },
                "relE": { "type": "number", "description": "Position east of an RTK base." },
                "relD": { "type": "number", "description": "Position below an RTK base." },
                "errEllMaj": { "$ref": "#/$defs/accuracy", "description": "Semi-major axis of the error ellipse." },
                "errEllMin": { "$ref": "#/$defs/accuracy", "description": "Semi-minor axis of the error ellipse." },
                "errEllOr": { "type": "number", "description": "Direction of the major axis from true north." },
                "dgpsAge": { "type": "number", "description": "Age of the differential corrections." },
                "dgpsSta": { "type": "integer", "description": "The differential station." },
                "leapseconds": { "type": "integer", "description": "GPS time minus UTC." },
                "datum": { "type": "string", "description": "The map datum." },
                "depth": { "type": "number", "description": "Depth of the water." },
                "temp": { "type": "number", "description": "Temperature of the receiver, °C." },
                "wtemp": { "type": "number", "description": "Temperature of the water, °C." },
                "wangler": { "type": "number", "description": "Direction of the wind relative to the bow." },
                "wanglem": { "type": "number", "description": "Direction of the wind from magnetic north." },
                "wanglet": { "type": "number", "description": "Direction of the wind from true north." },
                "wspeedr": { "type": "number", "description": "Speed of the wind relative to the vessel." },
                "wspeedt": { "type": "number", "description": "Speed of the wind over ground." },
                "ant": { "type": "integer", "description": "State of the antenna, as gpsd numbers it." },
                "jam": { "type": "integer", "description": "Level of interference, 0 … 255." }
              },
              "required": ["event", "lat", "lon", "mode", "received"]
            },
            "sky": {
              "description": "The satellites that a receiver sees.",
              "type": "object",
              "properties": {
                "event": { "const": "sky" },
                "time": { "$ref": "#/$defs/time" },
                "received": { "$ref": "#/$defs/time" },
                "device": { "$ref": "#/$defs/path" },
                "seen": { "$ref": "#/$defs/count" },
                "used": { "$ref": "#/$defs/count" },
                "xdop": { "type": "number", "description": "Dilution of precision of the longitude." },
                "ydop": { "type": "number", "description": "Dilution of precision of the latitude." },
                "hdop": { "type": "number", "description": "Dilution of precision on the ground." },
                "vdop": { "type": "number", "description": "Dilution of precision of the altitude." },
                "pdop": { "type": "number", "description": "Dilution of precision in three dimensions." },
                "tdop": { "type": "number", "description": "Dilution of precision of the time." },
                "gdop": { "type": "number", "description": "Dilution of precision in space and time." },
                "satellites": { "type": "array", "items": { "$ref": "#/$defs/satellite" } }
              },
              "required": ["event", "received"]
            },
            "satellite": {
              "type": "object",
              "properties": {
                "used": { "type": "boolean", "description": "Whether the fix is made of it." },
                "prn": { "type": "integer", "description": "Its number in the receiver's own counting." },
                "gnss": { "enum": ["GPS", "SBAS", "Galileo", "BeiDou", "IMES", "QZSS", "GLONASS", "NavIC"] },
                "svid": { "type": "integer", "description": "Its number within its system." },
                "sigid": { "type": "integer", "description": "The signal of the satellite." },
                "freqid": { "type": "integer", "description": "GLONASS frequency slot." },
                "el": { "type": "number", "minimum": -90, "maximum": 90, "description": "Degrees above the horizon." },
                "az": { "type": "number", "description": "Degrees clockwise from true north." },
                "ss": { "type": "number", "description": "Carrier to noise density, dB-Hz." },
                "prRes": { "type": "number", "description": "Pseudorange residual." },
                "healthy": { "type": "boolean", "description": "The health that the satellite reports." },
                "qual": { "type": "integer", "minimum": 0, "description": "The quality of the tracking, 0 … 7." }
              },
              "required": ["used"]
            },
            "device": {
              "description": "A receiver, or a device of a fleet, has appeared or changed.",
              "type": "object",
              "properties": {
                "event": { "const": "device" },
                "time": { "$ref": "#/$defs/time" },
                "device": { "$ref": "#/$defs/path" },
                "activity": { "enum": ["unknown", "idle", "unopenable", "silent", "babbling", "reporting", "gone"] },
                "driver": { "type": "string" },
                "subtype": { "type": "string", "description": "Model and firmware." },
                "bps": { "type": "integer", "minimum": 0, "description": "Bits a second on the line." },
                "framing": { "type": "string", "description": "As in 8N1." },
                "cycle": { "type": "number", "minimum": 0, "description": "Time between two of its reports." },
                "heard": { "$ref": "#/$defs/time", "description": "The time at which its last byte arrived." },
                "battery": { "type": "integer", "minimum": 0, "maximum": 100, "description": "The charge of its battery in percent." },
                "state": { "$ref": "#/$defs/stateName", "description": "The state of a device of a fleet; it and the following keys are printed by devices." },
                "reason": { "type": "string", "minLength": 1, "description": "The reason for a search, as in a state event." },
                "fixTime": { "$ref": "#/$defs/time", "description": "The time of its last position." },
                "lat": { "$ref": "#/$defs/latitude", "description": "Its last position, which is current if the state is found." },
                "lon": { "$ref": "#/$defs/longitude" },
                "eph": { "$ref": "#/$defs/accuracy" },
                "speed": { "type": "number" },
                "course": { "type": "number" },
                "received": { "$ref": "#/$defs/time", "description": "When its last position arrived; absent if the broker had kept it." }
              },
              "required": ["event", "time", "device", "activity"]
            },
            "notice": {
              "description": "Information that does not change the state.",
              "type": "object",
              "properties": {
                "event": { "const": "notice" },
                "time": { "$ref": "#/$defs/time" },
                "code": {
                  "type": "string",
                  "minLength": 1,
                  "description": "linesSkipped, dropped, implausibleDate, tornEnd, unknownMessage, messagesSkipped, message, authorization, or another."
                },
                "message": { "type": "string", "description": "For people." },
                "lines": { "$ref": "#/$defs/count", "description": "Lines that were skipped." },
                "messages": { "$ref": "#/$defs/count", "description": "Messages that were skipped since the session began." },
                "locations": { "$ref": "#/$defs/count", "description": "Positions that were dropped." },
                "skyViews": { "$ref": "#/$defs/count", "description": "Sky views that were dropped." },
                "others": { "$ref": "#/$defs/count", "description": "Other lines that were dropped, such as repeated failures; absent if none was." },
                "date": { "$ref": "#/$defs/time", "description": "The implausible date." },
                "device": { "$ref": "#/$defs/path" },
                "bytes": { "$ref": "#/$defs/count", "description": "Bytes of the line that is torn." },
                "status": { "enum": ["notDetermined", "authorized", "denied"], "description": "Whether positions may be read." }
              },
              "required": ["event", "time", "code", "message"]
            },
            "error": {
              "description": "A failure. locwatch keeps trying unless an end follows. A source that is not a session has no time of its own, so the time of its error and its end is the time of the clock.",
              "type": "object",
              "properties": {
                "event": { "const": "error" },
                "time": { "$ref": "#/$defs/time" },
                "code": { "$ref": "#/$defs/errorCode" },
                "message": { "type": "string", "minLength": 1, "description": "For people." },
                "advice": { "type": "string", "minLength": 1, "description": "What to do next, for people." },
                "retry": { "type": "number", "minimum": 0, "description": "The time until the next attempt." }
              },
              "required": ["event", "time", "code", "message"]
            },
            "fence": {
              "description": "A fence was entered, left, or stayed in, or the first position was inside it.",
              "type": "object",
              "properties": {
                "event": { "const": "fence" },
                "time": { "$ref": "#/$defs/time" },
                "fence": { "type": "string", "minLength": 1, "description": "Its name." },
                "change": { "enum": ["inside", "enter", "exit", "dwell"] },
                "device": { "$ref": "#/$defs/path", "description": "The device of a fleet." },
                "lat": { "$ref": "#/$defs/latitude" },
                "lon": { "$ref": "#/$defs/longitude" }
              },
              "required": ["event", "time", "fence", "change", "lat", "lon"]
            },
            "duration": { "type": "number", "minimum": 0, "description": "Seconds." },
            "distribution": {
              "description": "The distribution of values. The quantiles of more than 16384 values are accurate to half a percent.",
              "type": "object",
              "properties": {
                "count": { "type": "integer", "minimum": 1 },
                "min": { "type": "number" },
                "median": { "type": "number" },
                "p95": { "type": "number", "description": "95 % of the values are not above." },
                "max": { "type": "number" },
                "mean": { "type": "number" },
                "deviation": { "type": "number", "minimum": 0, "description": "Standard deviation." }
              },
              "required": ["count", "min", "median", "p95", "max", "mean", "deviation"]
            },
            "gap": {
              "description": "A period without a position, after the first one.",
              "type": "object",
              "properties": {
                "time": { "$ref": "#/$defs/time", "description": "When the position was lost." },
                "length": { "$ref": "#/$defs/duration" },
                "reason": { "type": "string", "minLength": 1, "description": "As in a state event." }
              },
              "required": ["time", "length", "reason"]
            },
            "receiver": {
              "description": "The figures of one receiver.",
              "type": "object",
              "properties": {
                "device": { "$ref": "#/$defs/path", "description": "Absent for a receiver without a name." },
                "reports": { "$ref": "#/$defs/count" },
                "instants": { "$ref": "#/$defs/count" },
                "late": { "$ref": "#/$defs/count" },
                "interval": { "$ref": "#/$defs/duration", "description": "The latest interval of its reports." },
                "firstFix": { "$ref": "#/$defs/duration", "description": "From the beginning of the session to its first position." },
                "found": { "$ref": "#/$defs/duration", "description": "The duration for which it had a current position." },
                "availability": { "type": "number", "minimum": 0, "maximum": 1, "description": "That as a share of the session." },
                "gaps": { "$ref": "#/$defs/count", "description": "The number of times it lost its position." },
                "longestGap": { "$ref": "#/$defs/duration" },
                "eph": { "$ref": "#/$defs/distribution" }
              },
              "required": ["reports", "instants", "late", "found", "gaps"]
            },
            "standstill": {
              "description": "The scatter of the positions of the longest standstill around their mean.",
              "type": "object",
              "properties": {
                "positions": { "type": "integer", "minimum": 2 },
                "duration": { "$ref": "#/$defs/duration" },
                "lat": { "$ref": "#/$defs/latitude" },
                "lon": { "$ref": "#/$defs/longitude" },
                "cep50": { "type": "number", "minimum": 0, "description": "Half of the positions lie within so many metres of the mean." },
                "cep95": { "type": "number", "minimum": 0 },
                "drms": { "type": "number", "minimum": 0, "description": "Root of the mean of the squared distances from the mean." },
                "drms2": { "type": "number", "minimum": 0, "description": "Twice that." },
                "sep": { "type": "number", "minimum": 0, "description": "Half of the positions lie within so many metres in three dimensions." },
                "height": { "type": "number", "description": "Mean of the heights." },
                "heightDeviation": { "type": "number", "minimum": 0 },
                "heightRange": { "type": "number", "minimum": 0 },
                "medianEph": { "$ref": "#/$defs/accuracy" },
                "withinEph": { "type": "number", "minimum": 0, "maximum": 1, "description": "Share of the positions that are not farther from the mean than eph; it should be 0.95." },
                "cep95ByEph": { "type": "number", "minimum": 0, "description": "cep95 divided by the median of eph: more than 1 if the receiver reports too small errors." }
              },
              "required": ["positions", "duration", "lat", "lon", "cep50", "cep95", "drms", "drms2"]
            },
            "motion": {
              "description": "Distance and speed.",
              "type": "object",
              "properties": {
                "distance": { "type": "number", "minimum": 0, "description": "Metres while it moved." },
                "rawDistance": { "type": "number", "minimum": 0, "description": "Metres from point to point, including drift at standstill." },
                "moving": { "$ref": "#/$defs/duration" },
                "standing": { "$ref": "#/$defs/duration" },
                "averageSpeed": { "type": "number", "minimum": 0, "description": "While it moved." },
                "speed": { "$ref": "#/$defs/distribution", "description": "While it moved." },
                "ascent": { "type": "number", "minimum": 0 },
                "descent": { "type": "number", "minimum": 0 }
              },
              "required": ["distance", "rawDistance", "moving", "standing", "ascent", "descent"]
            },
            "clock": {
              "description": "A comparison of the system clock with a receiver's, as gpsd made it; printed by time.",
              "type": "object",
              "properties": {
                "event": { "const": "clock" },
                "time": { "$ref": "#/$defs/time", "description": "The receiver's time of the instant." },
                "device": { "$ref": "#/$defs/path" },
                "source": { "enum": ["pulse", "message"], "description": "pulse: PPS, exact to microseconds. message: the data line, late by tens to hundreds of milliseconds." },
                "offset": { "type": "number", "description": "The system's time minus the receiver's in seconds, to the nanosecond: positive if the system clock is ahead." },
                "precision": { "type": "integer", "description": "The precision as an exponent of two in seconds." },
                "qErr": { "type": "integer", "description": "The pulse's quantisation error in picoseconds." },
                "shm": { "type": "integer", "minimum": 0, "maximum": 255, "description": "The segment of NTP's shared memory that gets the same comparison." },
                "received": { "$ref": "#/$defs/time", "description": "When the report arrived." }
              },
              "required": ["event", "time", "source", "offset", "received"]
            },
            "pulse": {
              "description": "A receiver's pulse has come or stopped; printed by time.",
              "type": "object",
              "properties": {
                "event": { "const": "pulse" },
                "time": { "$ref": "#/$defs/time" },
                "device": { "$ref": "#/$defs/path" },
                "change": { "enum": ["seen", "lost"] },
                "reason": { "type": "string", "minLength": 1, "description": "Of a loss: noFix if the receiver has no fix, else silent." },
                "silence": { "$ref": "#/$defs/duration", "description": "The time without a pulse; absent for the first pulse." }
              },
              "required": ["event", "time", "change"]
            },
            "clockSeries": {
              "description": "The figures of the newest comparisons, at most 3600, in seconds; positive if the system clock is ahead.",
              "type": "object",
              "properties": {
                "count": { "type": "integer", "minimum": 1 },
                "median": { "type": "number" },
                "min": { "type": "number" },
                "max": { "type": "number" },
                "spread": { "type": "number", "minimum": 0, "description": "The width of the range that holds the middle 90 %." },
                "drift": { "type": "number", "description": "Parts per million: positive if the system clock is too fast." },
                "jitter": { "type": "number", "minimum": 0, "description": "The standard deviation from the line of the drift." },
                "allan": {
                  "description": "The overlapping Allan deviations.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "interval": { "type": "integer", "minimum": 1, "description": "Seconds." },
                      "deviation": { "type": "number", "minimum": 0, "description": "Seconds per second." }
                    },
                    "required": ["interval", "deviation"]
                  }
                }
              },
              "required": ["count", "median", "min", "max", "spread", "allan"]
            },
            "clockFigures": {
              "description": "The figures of the system clock by one receiver, and the lines for chrony and ntpsec; printed by time at the end.",
              "type": "object",
              "properties": {
                "event": { "const": "clockFigures" },
                "device": { "$ref": "#/$defs/path" },
                "source": { "enum": ["pulse", "message"], "description": "The signal to believe." },
                "pulse": { "$ref": "#/$defs/clockSeries" },
                "message": { "$ref": "#/$defs/clockSeries" },
                "delay": { "type": "number", "description": "The delay of the messages in seconds; absent if it cannot be told." },
                "delayBy": { "enum": ["pulse", "system"], "description": "What the delay was measured against: a pulse, or the system clock because a time service keeps it." },
                "qErr": {
                  "description": "The pulse's quantisation errors in picoseconds.",
                  "type": "object",
                  "properties": {
                    "count": { "type": "integer", "minimum": 1 },
                    "min": { "type": "integer" },
                    "max": { "type": "integer" },
                    "rms": { "type": "number", "minimum": 0 }
                  },
                  "required": ["count", "min", "max", "rms"]
                },
                "leapseconds": { "type": "integer", "description": "GPS time minus UTC." },
                "pulseSeen": { "type": "boolean", "description": "Whether the pulse came at the end; absent without any." },
                "pulseLosses": { "$ref": "#/$defs/count" },
                "chrony": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Lines for chrony.conf, with comments." },
                "ntpsec": { "type": "array", "minItems": 1, "items": { "type": "string" }, "description": "Lines for the ntp.conf of ntpsec, with comments." }
              },
              "required": ["event", "source"]
            },
            "delivery": {
              "description": "The delivery of positions to a target of publish has changed.",
              "type": "object",
              "properties": {
                "event": { "const": "delivery" },
                "time": { "$ref": "#/$defs/time" },
                "target": { "type": "string", "minLength": 1, "description": "The TARGET, without what could be a secret." },
                "change": {
                  "enum": ["connected", "waiting", "held", "complete", "dropped", "rejected", "ended"],
                  "description": "waiting: the connection failed and is tried again soon; held: the target refused the client or a record; complete: everything was sent after an outage."
                },
                "message": { "type": "string", "description": "The reason of waiting or held, for people." },
                "retry": { "type": "number", "minimum": 0, "description": "The time to the next attempt." },
                "records": { "$ref": "#/$defs/count", "description": "The number of records that were dropped or rejected since the last such event." },
                "queued": { "$ref": "#/$defs/count", "description": "The number of records that the target has not taken yet." },
                "sent": { "$ref": "#/$defs/count", "description": "The number of records that the target has taken since the start." }
              },
              "required": ["event", "time", "target", "change", "queued", "sent"]
            },
            "stats": {
              "description": "The figures of a session, at its end.",
              "type": "object",
              "properties": {
                "event": { "const": "stats" },
                "began": { "$ref": "#/$defs/time" },
                "ended": { "$ref": "#/$defs/time" },
                "duration": { "$ref": "#/$defs/duration" },
                "reports": { "$ref": "#/$defs/count", "description": "Reported positions, including several of one epoch." },
                "instants": { "$ref": "#/$defs/count", "description": "Epochs with a position." },
                "skies": { "$ref": "#/$defs/count", "description": "Sky views that were reported." },
                "rate": { "type": "number", "minimum": 0, "description": "Epochs per second of a receiver while there was a position; the mean for several receivers." },
                "late": { "$ref": "#/$defs/count", "description": "Positions older than a previous one of the same receiver." },
                "untimed": { "$ref": "#/$defs/count", "description": "Positions without a time." },
                "firstFix": { "$ref": "#/$defs/duration", "description": "From the beginning to the first position." },
                "found": { "$ref": "#/$defs/duration", "description": "The duration for which there was a current position." },
                "availability": { "type": "number", "minimum": 0, "maximum": 1, "description": "That as a share of the session." },
                "gaps": { "type": "array", "items": { "$ref": "#/$defs/gap" } },
                "fixes": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": { "mode": { "enum": [2, 3] }, "instants": { "$ref": "#/$defs/count" } },
                    "required": ["mode", "instants"]
                  }
                },
                "qualities": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "quality": { "type": "string", "description": "As in a location, or ordinary." },
                      "instants": { "$ref": "#/$defs/count" }
                    },
                    "required": ["quality", "instants"]
                  }
                },
                "devices": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": { "device": { "$ref": "#/$defs/path" }, "instants": { "$ref": "#/$defs/count" } },
                    "required": ["instants"]
                  }
                },
                "handovers": { "$ref": "#/$defs/count", "description": "The number of times another receiver became the current one." },
                "receivers": {
                  "description": "The figures of each receiver, of at most 256, or of each device of a fleet.",
                  "type": "array",
                  "items": { "$ref": "#/$defs/receiver" }
                },
                "seen": { "$ref": "#/$defs/distribution", "description": "Satellites seen, by the last part of a sky that is reported in parts." },
                "used": { "$ref": "#/$defs/distribution", "description": "Satellites used." },
                "signals": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "gnss": { "type": "string", "description": "The system; absent if unknown." },
                      "ss": { "$ref": "#/$defs/distribution", "description": "Signal, dB-Hz." }
                    },
                    "required": ["ss"]
                  }
                },
                "hdop": { "$ref": "#/$defs/distribution" },
                "vdop": { "$ref": "#/$defs/distribution" },
                "pdop": { "$ref": "#/$defs/distribution" },
                "eph": { "$ref": "#/$defs/distribution" },
                "epv": { "$ref": "#/$defs/distribution" },
                "eps": { "$ref": "#/$defs/distribution" },
                "clockOffset": { "$ref": "#/$defs/distribution", "description": "Seconds between the time of a position and its arrival: clock offset and delay together." },
                "clocks": {
                  "description": "The system clock by each receiver; absent without a comparison.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "device": { "$ref": "#/$defs/path" },
                      "pulse": { "$ref": "#/$defs/clockSeries" },
                      "message": { "$ref": "#/$defs/clockSeries" }
                    }
                  }
                },
                "standstill": { "$ref": "#/$defs/standstill" },
                "motion": { "$ref": "#/$defs/motion" }
              },
              "required": ["event", "duration", "reports", "instants", "skies", "late", "untimed", "found", "gaps", "fixes", "qualities", "devices", "signals"]
            },
            "check": {
              "description": "A check of doctor and its finding.",
              "type": "object",
              "properties": {
                "event": { "const": "check" },
                "check": {
                  "type": "string",
                  "minLength": 1,
                  "description": "programs, daemon, greeting, devices, user, bytes, sky, fix, clock, time; for a target name, connection, encryption, server, topic; or another."
                },
                "result": {
                  "enum": ["ok", "remark", "fault"],
                  "description": "remark: useful to know, but not a reason for having no fix. fault: prevents a fix."
                },
                "found": { "type": "string", "minLength": 1, "description": "For people." },
                "why": { "type": "string", "minLength": 1, "description": "Why it is wrong, for people." },
                "remedy": {
                  "type": "array",
                  "minItems": 1,
                  "items": { "type": "string", "minLength": 1 },
                  "description": "Commands and steps that solve the problem, in order, for people."
                }
              },
              "required": ["event", "check", "result", "found"],
              "allOf": [
                {
                  "if": { "properties": { "result": { "enum": ["remark", "fault"] } }, "required": ["result"] },
                  "then": { "required": ["why", "remedy"] }
                }
              ]
            },
            "diagnosis": {
              "description": "The result of all checks of doctor: its last line.",
              "type": "object",
              "properties": {
                "event": { "const": "diagnosis" },
                "time": { "$ref": "#/$defs/time" },
                "exit": { "type": "integer", "minimum": 0, "maximum": 255, "description": "The exit code; 0 if a fix arrives." },
                "cause": { "type": "string", "minLength": 1, "description": "The check that found the first fault; absent without one." },
                "verdict": { "type": "string", "minLength": 1, "description": "For people." }
              },
              "required": ["event", "time", "exit", "verdict"]
            },
            "end": {
              "description": "The last line.",
              "type": "object",
              "properties": {
                "event": { "const": "end" },
                "time": { "$ref": "#/$defs/time" },
                "reason": {
                  "type": "string",
                  "minLength": 1,
                  "description": "count, duration, timeout, ended, interrupted, failed, or another."
                },
                "locations": { "$ref": "#/$defs/count", "description": "The number of printed positions, without revisions." }
              },
              "required": ["event", "time", "reason", "locations"]
            }
          }
        }

        """#
}
