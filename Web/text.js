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

const points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

export function direction(degrees) {
  if (!Number.isFinite(degrees)) return "–";
  const turn = ((degrees % 360) + 360) % 360;
  return `${Math.round(turn) % 360}° ${points[Math.round(turn / 45) % 8]}`;
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

// An event of the log as a word and a sentence, or nothing.
export function logged(event) {
  const device = event.device ? `${event.device}: ` : "";
  switch (event.event) {
    case "state": return [event.to, event.text];
    // The text names a receiver that is gone.
    case "deviceState": return [event.to, (event.path ? "" : device) + event.text];
    case "handover": return [event.event, event.text];
    case "fence": return [event.event, device + event.text];
    case "integrity": return [event.to, device + event.text];
    case "notice": return event.status === "authorized" ? undefined : [event.event, event.message];
    case "error": return [event.event, event.message];
    case "end": return [event.event, event.text];
    default: return undefined;
  }
}
