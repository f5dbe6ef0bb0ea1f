// The page: it follows the stream of events, and shows what they say.

import { drawHistory, drawSignals, drawSky } from "./charts.js";
import { LiveMap } from "./map.js";
import { Model } from "./model.js";
import { clock, direction, quality, quantity, spoken, units, useUnits } from "./text.js";

const $ = (id) => document.getElementById(id);
const receiverLimit = 200;

const model = new Model();
let facts = { fences: [], isLive: true };
// The server's clock minus this device's, in milliseconds.
let clockOffset = 0;
let stream;
let isConnected = false;
let fitted = 0;
let lastID = "";
let retry;

const map = new LiveMap($("map-frame"), $("map-canvas"), schedule);

// MARK: The stream

async function open() {
  clearTimeout(retry);
  let response;
  try {
    response = await fetch("page.json", { cache: "no-store" });
  } catch {
    return disconnected();
  }
  if (response.status === 401) return signIn("");
  if (!response.ok) return disconnected();
  const date = Date.parse(response.headers.get("Date"));
  if (Number.isFinite(date)) clockOffset = date - Date.now();
  facts = await response.json();
  model.isFleet = facts.isFleet;
  useUnits(facts.units);
  $("place").textContent = facts.place;
  document.title = `locwatch: ${facts.place}`;
  $("session").classList.toggle("fleet", facts.isFleet);
  $("links").replaceChildren(...facts.links.flatMap(({ path, name }) => {
    const link = document.createElement("a");
    link.href = path;
    link.textContent = name;
    return [link, " "];
  }));
  $("attribution").textContent = facts.tiles?.attribution ?? "";
  $("sign-in").hidden = true;
  $("session").hidden = false;
  follow();
}

function follow() {
  stream?.close();
  stream = new EventSource("events");
  stream.onopen = () => {
    isConnected = true;
    schedule();
  };
  stream.onmessage = (message) => {
    const isNews = message.lastEventId !== lastID && lastID !== "";
    const event = JSON.parse(message.data);
    if (event.event === "start") loadHistory();
    if (event.event === "state" && event.from === "found" && event.to !== "found") model.breakTrack();
    model.apply(event, performance.now(), isNews);
    lastID = message.lastEventId;
    schedule();
  };
  stream.onerror = () => {
    isConnected = false;
    // The browser tries again by itself, unless the answer was no stream.
    if (stream.readyState === EventSource.CLOSED) disconnected(); else schedule();
  };
}

function disconnected() {
  isConnected = false;
  lastID = "";
  stream?.close();
  clearTimeout(retry);
  retry = setTimeout(open, 3000);
  $("sign-in").hidden = true;
  $("session").hidden = false;
  schedule();
}

async function loadHistory() {
  if (facts.isFleet) return;
  try {
    const response = await fetch("history.json", { cache: "no-store" });
    if (response.ok) model.setHistory(await response.json());
  } catch {
    // The stream is broken too, and begins again with the history.
  }
  schedule();
}

// MARK: The token

async function exchange(token) {
  try {
    const response = await fetch("session", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) return signIn("This token is wrong.");
  } catch {
    return disconnected();
  }
  await open();
}

function signIn(failure) {
  $("session").hidden = true;
  $("sign-in").hidden = false;
  $("sign-in-failure").textContent = failure;
  schedule();
  $("token").focus();
}

$("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  exchange($("token").value.trim());
  $("token").value = "";
});

// MARK: What is shown

let isScheduled = false;

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    render();
  });
}

// Sets a text only if it is new, so that a screen reader does not repeat it.
function set(id, text) {
  const element = $(id);
  if (element.textContent !== text) element.textContent = text;
}

// The age of the shown position in seconds, if it is known.
function age(device) {
  if (!device?.location) return undefined;
  if (device.arrived !== undefined) return (performance.now() - device.arrived) / 1000;
  if (!facts.isLive) return undefined;
  return (Date.now() + clockOffset - Date.parse(device.location.received ?? device.location.time)) / 1000;
}

function render() {
  const device = model.shown;
  const isCurrent = isConnected && model.isFound;
  const isSigningIn = !$("sign-in").hidden;
  set("stream", isConnected || isSigningIn ? "" : "The connection to locwatch is broken. Trying again…");
  renderState(device);
  renderPosition(device, isCurrent);
  $("follow").setAttribute("aria-pressed", String(map.follows));
  const found = (one) => isConnected && one.state?.to === "found";
  const devices = [...model.devices.values()].filter((one) => one.location && (facts.isFleet || one !== device))
    .map((one) => ({ name: one.name, location: one.location, isFound: found(one) }));
  // The map shows all devices of a fleet until the user moves it.
  if (facts.isFleet && !map.isMoved && devices.length > fitted) {
    fitted = devices.length;
    map.fit(devices.map((one) => one.location));
    map.follows = false;
  }
  map.draw({
    points: model.points, fences: facts.fences, shown: facts.isFleet ? undefined : device, isCurrent, devices,
    tiles: facts.tiles,
  });
  const location = device?.location;
  $("map-canvas").setAttribute("aria-label", location
    ? `Map around ${location.lat.toFixed(5)}, ${location.lon.toFixed(5)}${isCurrent ? "" : ", the last known position"}`
    : "Map without a position");
  drawSky($("sky-plot"), device?.sky);
  drawSignals($("signal-rows"), device?.sky);
  drawHistory($("charts"), model.points, historyEnd());
  renderReceivers(found);
  renderLog();
}

// The state in words; a fix that had two dimensions when it was found may have three now.
function standing(device) {
  const mode = device?.location?.mode;
  const hasChanged = model.isFound && mode >= 2 && model.state.mode && mode !== model.state.mode;
  return hasChanged ? `${mode}D fix` : model.state.text;
}

function renderState(device) {
  const state = isConnected ? model.state.to : "disconnected";
  $("state").dataset.state = state;
  set("state-word", isConnected ? model.state.to : "disconnected");
  const words = standing(device);
  set("reason", !isConnected ? `before that: ${model.state.to}, ${words}` : model.ended ? `${words}; the recording has ended` : words);
  const seconds = age(device);
  const isOld = !isConnected || !model.isFound;
  set("age", !device?.location ? "There was no position yet."
    : isOld ? `The last position is ${seconds === undefined ? `from ${clock(device.location.time)}` : `${spoken(seconds)} old`}.`
      : "");
}

function accuracy(location) {
  return Number.isFinite(location?.eph) ? `± ${quantity(location.eph, units.length, 1)}` : "–";
}

function heading(location) {
  if (Number.isFinite(location?.heading)) return direction(location.heading);
  return `${direction(location?.headingMagnetic)} magnetic`;
}

function renderPosition(device, isCurrent) {
  const location = device?.location;
  $("position").classList.toggle("stale", Boolean(location) && !isCurrent);
  set("position-heading", !location || isCurrent ? "Position" : "Last known position");
  set("coordinate", location ? `${location.lat.toFixed(6)}, ${location.lon.toFixed(6)}` : "–");
  set("accuracy", accuracy(location));
  set("altitude", quantity(location?.altMSL ?? location?.altHAE, units.length, 0));
  set("speed", quantity(location?.speed, units.speed, 1));
  set("course", direction(location?.course));
  $("heading-row").hidden = !Number.isFinite(location?.heading ?? location?.headingMagnetic);
  set("heading", heading(location));
  // A position has its own satellites, and a search those that were reported last.
  const sky = isCurrent && location ? location : device?.sky;
  set("satellites", sky ? `${sky.used ?? "–"} of ${sky.seen ?? "–"}` : "–");
  $("quality-row").hidden = !location?.quality;
  set("quality", quality(location));
  set("fix-time", location ? clock(location.time) : "–");
}

// The end of the history: the present of a live session, and the last fix of a recording.
function historyEnd() {
  const last = model.points.at(-1)?.time;
  if (last === undefined) return Date.now();
  const device = model.shown;
  const behind = device?.arrived === undefined ? 0 : performance.now() - device.arrived;
  return model.ended ? last : last + behind;
}

function renderReceivers(found) {
  const all = [...model.devices.values()].sort((a, b) => found(b) - found(a) || (a.name < b.name ? -1 : 1));
  const rows = all.slice(0, receiverLimit).map((device) => {
    const row = document.createElement("tr");
    if (device === model.shown && !facts.isFleet) row.className = "current";
    const state = isConnected ? (device.state?.to ?? (device.location ? "last known" : "unknown")) : "unknown";
    const texts = [
      device.name || "unnamed", state, accuracy(device.location),
      device.location ? clock(device.location.time) : "–",
    ];
    texts.forEach((text, place) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      if (place === 1) cell.className = state;
      row.append(cell);
    });
    return row;
  });
  $("receiver-rows").replaceChildren(...rows);
  set("more-receivers", all.length > receiverLimit ? `and ${all.length - receiverLimit} more` : "");
}

let logged = 0;

function renderLog() {
  if (model.logCount === logged) return;
  logged = model.logCount;
  $("log-rows").replaceChildren(...model.log.map((entry) => {
    const row = document.createElement("li");
    const time = document.createElement("time");
    if (entry.time) time.dateTime = entry.time;
    time.textContent = entry.time ? clock(entry.time) : "";
    const words = document.createElement("span");
    const word = document.createElement("strong");
    word.className = entry.word;
    word.textContent = entry.word;
    words.append(word, ` ${entry.words}`);
    row.append(time, words);
    return row;
  }));
}

$("zoom-in").addEventListener("click", () => map.zoomBy(1));
$("zoom-out").addEventListener("click", () => map.zoomBy(-1));
$("follow").addEventListener("click", () => map.follow(!map.follows));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", schedule);
// Ages grow although nothing arrives.
setInterval(schedule, 1000);

// The token in the address is exchanged for a cookie, and does not stay where the next user of the browser could read it.
const token = decodeURIComponent(window.location.hash.slice(1));
if (token) {
  history.replaceState(null, "", window.location.pathname);
  exchange(token);
} else {
  open();
}
