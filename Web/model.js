// The state of the session as it follows from the events.

import { logged } from "./text.js";

const logLimit = 100;
const pointLimit = 20000;

export class Model {
  constructor() {
    this.points = [];
    // The number of changes of the log.
    this.logCount = 0;
    this.reset();
  }

  // Begins anew with the lines that a new reader gets; the track stays.
  reset() {
    this.state = { event: "state", to: "searching", text: "starting" };
    // The name of the device that has reported the current position, or the last one.
    this.current = undefined;
    this.devices = new Map();
    this.log = [];
    this.logCount++;
    this.ended = false;
  }

  device(name = "") {
    let device = this.devices.get(name);
    if (!device) this.devices.set(name, (device = { name, state: undefined, location: undefined, sky: undefined }));
    return device;
  }

  // The device whose position is shown: the current one, or the one that was heard last.
  get shown() {
    const heard = (device) => Date.parse(device.location.received ?? device.location.time);
    const known = [...this.devices.values()].filter((device) => device.location);
    return this.devices.get(this.current)
      ?? known.reduce((last, device) => (!last || heard(device) > heard(last) ? device : last), undefined)
      ?? this.devices.values().next().value;
  }

  get isFound() { return this.state.to === "found"; }

  // Processes an event that has arrived at `now`, in milliseconds; `isNews` unless a new reader begins with it.
  apply(event, now, isNews) {
    switch (event.event) {
      case "start": this.reset(); break;
      case "state": this.state = event; break;
      // A new reader begins with the log, and with the position that is current since.
      case "handover": if (isNews) this.current = event.to ?? ""; break;
      case "deviceState": {
        const device = this.device(event.device);
        device.state = event;
        break;
      }
      case "location": this.locate(event, now, isNews); break;
      case "lastKnown": this.device(event.device).location ??= event; break;
      case "sky": this.device(event.device).sky = event; break;
      case "device": this.device(event.device).status = event; break;
      case "end": this.ended = true; break;
    }
    const isLogged = event.event !== "deviceState" || (isNews && this.devices.size > 1 && !this.isFleet);
    if (isLogged) this.note(event);
  }

  note(event) {
    const words = logged(event);
    if (!words) return;
    this.log.unshift({ time: event.time, word: words[0], words: words[1] });
    this.logCount++;
    this.log.length = Math.min(this.log.length, logLimit);
  }

  locate(event, now, isNews) {
    const standing = event.standing ?? "current";
    if (standing === "late" && event.late) return;
    const device = this.device(event.device);
    device.location = event;
    // The satellites that were reported last are too old to belong to it.
    if (event.seen === undefined && event.used === undefined) device.sky = undefined;
    // A device of a fleet has sent it long after its time.
    if (standing === "late") return;
    device.arrived = isNews ? now : undefined;
    if (standing !== "current") return;
    this.current = device.name;
    if (!isNews || this.isFleet) return;
    const point = {
      time: Date.parse(event.time ?? event.received), lat: event.lat, lon: event.lon, altMSL: event.altMSL,
      eph: event.eph, speed: event.speed, used: event.used, segment: 0,
    };
    const last = this.points.at(-1);
    if (!last || this.isBroken) point.segment = 1;
    this.isBroken = false;
    this.points.push(point);
    if (this.points.length > pointLimit) this.points.splice(0, this.points.length - pointLimit);
  }

  // The next point begins a new piece of the track.
  breakTrack() { this.isBroken = true; }

  // Takes over the points that the server has kept, before those that have arrived since.
  setHistory(history) {
    const columns = history.columns;
    const kept = history.points.map((row) =>
      Object.fromEntries(columns.map((name, place) => [name, row[place] ?? undefined])));
    const last = kept.at(-1)?.time ?? -Infinity;
    const newer = this.points.filter((point) => point.time > last && point.time - last < 60000);
    this.points = kept.concat(newer);
  }
}
