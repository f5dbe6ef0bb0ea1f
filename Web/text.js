// Words and numbers for people.

export function spoken(seconds) {
  if (!Number.isFinite(seconds)) return "";
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

// The units that are shown: their size in metres or metres per second, and their name.
const systems = {
  metric: { length: [1, "m"], distance: [1000, "km"], speed: [1, "m/s"] },
  imperial: { length: [0.3048, "ft"], distance: [1609.344, "mi"], speed: [0.44704, "mph"] },
  nautical: { length: [1, "m"], distance: [1852, "nmi"], speed: [1852 / 3600, "kn"] },
};

export let units = systems.metric;

export function useUnits(name) { units = systems[name]; }

export function quantity(value, [size, unit], decimals) {
  return Number.isFinite(value) ? `${(value / size).toFixed(decimals)} ${unit}` : "–";
}

export function clock(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "–" : date.toLocaleTimeString([], { hour12: false });
}

const points = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

export function direction(degrees) {
  if (!Number.isFinite(degrees)) return "–";
  const turn = ((degrees % 360) + 360) % 360;
  return `${Math.round(turn) % 360}° ${points[Math.round(turn / 22.5) % 16]}`;
}

const qualities = {
  differential: "differential", rtkFloat: "RTK float", rtkFixed: "RTK fixed", deadReckoning: "dead reckoning",
  satellitesAndDeadReckoning: "GNSS and dead reckoning", surveyedTime: "surveyed", simulated: "simulated", precisionCode: "P(Y)",
};

// How the fix was obtained, with the age of its corrections and their station.
export function quality(location) {
  if (!location?.quality) return "ordinary";
  const parts = [qualities[location.quality] ?? `status ${location.status}`];
  if (location.dgpsAge !== undefined) parts.push(`corrections ${location.dgpsAge.toFixed(location.dgpsAge < 10 ? 1 : 0)} s old`);
  if (location.dgpsSta !== undefined) parts.push(`station ${location.dgpsSta}`);
  return parts.join(", ");
}

function satellites(event) {
  const parts = [];
  if (event.seen !== undefined) parts.push(`${event.seen} satellites`);
  if (event.best !== undefined) parts.push(`best ${event.best.toFixed(0)} dB-Hz`);
  return parts.length ? `, ${parts.join(", ")}` : "";
}

// The reason of a change of state.
export function reason(event) {
  switch (event.reason) {
    case "fix": return event.mode === 3 ? "3D fix" : "2D fix";
    case "starting": return "starting";
    case "connecting": return event.attempt > 1 ? `connecting, attempt ${event.attempt}` : "connecting";
    case "unanswered": return "connected, but the server sends nothing, and is perhaps not a gpsd";
    case "connected": return "connected, waiting for the receiver";
    case "noFix": return `no fix reported${satellites(event)}`;
    case "noDevice": return "no receiver";
    case "deviceLost": return `the receiver ${event.path ?? ""} is gone`;
    case "deviceUnopenable": return `the receiver ${event.path ?? ""} cannot be opened`;
    case "deviceSilent": return `the receiver ${event.path ?? ""} sends no readable data`;
    case "deviceBabbling": return `the receiver ${event.path ?? ""} sends unrecognized data`;
    case "silent": return `no report for ${spoken(event.silence ?? 0)}`;
    default: return event.message ?? event.reason ?? "";
  }
}

// A change of state as a sentence without a full stop.
export function transition(event) {
  if (event.to === "found" && event.searchedFor !== undefined) {
    return `${reason(event)} after ${spoken(event.searchedFor)}`;
  }
  if (event.from === "found" && event.to === "searching") {
    return `fix lost, held for ${spoken(event.after)}: ${reason(event)}`;
  }
  return reason(event);
}

// An event of the log as a word and a sentence, or nothing.
export function logged(event) {
  const device = event.device ? `${event.device}: ` : "";
  switch (event.event) {
    case "state": return [event.to, transition(event)];
    case "deviceState": return [event.to, device + transition(event)];
    case "handover": return ["handover", `${event.to ?? "a receiver"} replaces ${event.from ?? "a receiver"}`];
    case "fence": return ["fence", device + { inside: "inside ", enter: "entered ", exit: "left ", dwell: "stays in ", undecided: "cannot judge " }[event.change] + event.fence];
    case "integrity": return [event.to, device + (event.reasons.length ? `${event.reasons.join(", ")}: ` : "") + event.message];
    case "notice": return event.status === "authorized" ? undefined : [event.event, event.message];
    case "error": return [event.event, event.message];
    case "end": return ["end", event.reason === "ended" ? "the recording or the stream has ended" : `the session has ended: ${event.reason}`];
    default: return undefined;
  }
}
