// The sky, the signals and the history as pictures, each with its content in words.

import { units } from "./text.js";

const namespace = "http://www.w3.org/2000/svg";
const historyLength = 600000;

function shape(name, attributes, text) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const letters = { GPS: "G", SBAS: "S", Galileo: "E", BeiDou: "C", IMES: "I", QZSS: "J", GLONASS: "R", NavIC: "N" };

export function satelliteName(satellite) {
  const number = satellite.svid ?? satellite.prn;
  return number === undefined ? undefined : `${letters[satellite.gnss] ?? ""}${number}`;
}

// A receiver with several bands lists a satellite once for each signal, of which the strongest stands for it.
function distinctSatellites(sky) {
  const isPlaced = ({ el, az }) => Number.isFinite(el) && Number.isFinite(az) && (el !== 0 || az !== 0);
  const known = new Map();
  for (const signal of sky?.satellites ?? []) {
    const number = signal.svid ?? signal.prn;
    const name = number ? `${signal.gnss} ${number}` : known.size;
    const other = known.get(name);
    if (!other) {
      known.set(name, signal);
      continue;
    }
    const [strong, weak] = (signal.ss ?? 0) > (other.ss ?? 0) ? [signal, other] : [other, signal];
    const place = isPlaced(strong) ? strong : weak;
    known.set(name, { ...strong, el: place.el, az: place.az, used: strong.used || weak.used });
  }
  return [...known.values()];
}

export function drawSky(svg, sky) {
  const satellites = distinctSatellites(sky);
  const placed = satellites.filter((satellite) => satellite.el >= 0 && satellite.el <= 90 && Number.isFinite(satellite.az));
  const shapes = [90, 60, 30].map((radius) => shape("circle", { class: "ring", r: radius }));
  for (const [name, x, y] of [["N", 0, -106], ["E", 110, 3], ["S", 0, 112], ["W", -110, 3]]) {
    shapes.push(shape("text", { class: "direction", x, y }, name));
  }
  // Those in use are drawn last, so that no other one hides them.
  for (const satellite of [...placed].sort((a, b) => a.used - b.used)) {
    const [angle, radius] = [(satellite.az * Math.PI) / 180, 90 - satellite.el];
    const [x, y] = [(radius * Math.sin(angle)).toFixed(1), (-radius * Math.cos(angle)).toFixed(1)];
    shapes.push(shape("circle", { class: satellite.used ? "used" : "seen", cx: x, cy: y, r: 3.5 }));
    const name = satelliteName(satellite);
    if (name) shapes.push(shape("text", { x, y: y - 5 }, name));
  }
  svg.replaceChildren(...shapes);
  const used = satellites.filter((satellite) => satellite.used).length;
  svg.setAttribute("aria-label", satellites.length ? `The sky: ${satellites.length} satellites, ${used} of them used` : "The sky: no satellite");
}

export function drawSignals(body, sky) {
  const heard = distinctSatellites(sky).filter((satellite) => satellite.ss > 0 && satelliteName(satellite));
  heard.sort((a, b) => b.ss - a.ss);
  body.replaceChildren(...heard.slice(0, 100).map((satellite) => {
    const row = document.createElement("tr");
    const cells = [satellite.gnss ?? "", satelliteName(satellite), "", satellite.used ? "used" : ""].map((text) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
      return cell;
    });
    const bar = document.createElement("div");
    bar.className = satellite.used ? "bar used" : "bar";
    const length = document.createElement("i");
    length.style.setProperty("--part", Math.min(1, satellite.ss / 60));
    bar.append(length, satellite.ss.toFixed(0));
    cells[2].append(bar);
    return row;
  }));
}

const rows = [
  { key: "eph", title: "Accuracy", kind: "length", decimals: 1 },
  { key: "speed", title: "Speed", kind: "speed", decimals: 1 },
  { key: "used", title: "Satellites used", decimals: 0 },
];

export function drawHistory(container, points, now) {
  const start = now - historyLength;
  const recent = points.filter((point) => point.time >= start && point.time <= now + 1000);
  container.replaceChildren(...rows.map(({ key, title, kind, decimals }) => {
    const [size, unit] = kind ? units[kind] : [1, ""];
    const values = recent.map((point) => point[key]).filter(Number.isFinite);
    const [low, high] = [Math.min(0, ...values), Math.max(1e-9, ...values)];
    const chart = document.createElement("div");
    chart.className = "chart";
    const heading = document.createElement("p");
    const range = values.length ? `${(Math.min(...values) / size).toFixed(decimals)} to ${(Math.max(...values) / size).toFixed(decimals)} ${unit}` : "–";
    for (const text of [title, range]) heading.append(Object.assign(document.createElement("span"), { textContent: text }));
    const svg = shape("svg", { viewBox: "0 0 600 40", preserveAspectRatio: "none", role: "img", "aria-label": `${title} in the last 10 minutes: ${range}` });
    const x = (time) => ((time - start) / historyLength) * 600;
    let path = "";
    let last;
    for (const point of recent) {
      const begins = !last || point.segment === 1 || point.time - last.time > 5000 + 3 * (last.step ?? 1000);
      if (begins && last) svg.append(shape("rect", { class: "lost", x: x(last.time), y: 0, width: Math.max(1, x(point.time) - x(last.time)), height: 40 }));
      if (Number.isFinite(point[key])) {
        path += `${begins ? "M" : "L"}${x(point.time).toFixed(1)} ${(38 - ((point[key] - low) / (high - low)) * 36).toFixed(1)}`;
      }
      last = point;
    }
    if (last && now - last.time > 5000) {
      svg.append(shape("rect", { class: "lost", x: x(last.time), y: 0, width: 600 - x(last.time), height: 40 }));
    }
    if (path) svg.append(shape("path", { d: path.replace(/^L/, "M") }));
    chart.append(heading, svg);
    return chart;
  }));
}
