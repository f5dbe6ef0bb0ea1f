// swift-format-ignore-file
// Made by Tools/build/embed-page from Web/.

/// The page of `locwatch web`.
enum WebPage {
    static let html: StaticString = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>locwatch</title>
        <link rel="icon" href="icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="locwatch.css">
        <script type="module" src="page.js"></script>
        </head>
        <body>
        <header>
          <h1>locwatch <span id="place"></span></h1>
          <p id="stream" role="alert"></p>
        </header>

        <form id="sign-in" hidden>
          <label for="token">This page needs a token.</label>
          <input type="text" name="username" value="locwatch" autocomplete="username" hidden>
          <input id="token" type="password" autocomplete="current-password" spellcheck="false">
          <button>Open</button>
          <p id="sign-in-failure" role="alert"></p>
        </form>

        <main id="session" hidden>
          <section id="state" data-state="searching" aria-labelledby="state-heading">
            <h2 id="state-heading" class="hidden">State</h2>
            <p id="state-text" role="status" aria-live="polite"><strong id="state-word">searching</strong> <span id="reason"></span></p>
            <p id="age"></p>
          </section>

          <section id="position" aria-labelledby="position-heading">
            <h2 id="position-heading">Position</h2>
            <dl>
              <div class="wide"><dt>Latitude, longitude</dt><dd id="coordinate">–</dd></div>
              <div><dt>Accuracy</dt><dd id="accuracy">–</dd></div>
              <div><dt>Altitude</dt><dd id="altitude">–</dd></div>
              <div><dt>Speed</dt><dd id="speed">–</dd></div>
              <div><dt>Course</dt><dd id="course">–</dd></div>
              <div><dt>Satellites used</dt><dd id="satellites">–</dd></div>
              <div><dt>Time of the fix</dt><dd id="fix-time">–</dd></div>
            </dl>
            <p class="links"><a href="location">JSON</a> <a href="track.gpx" class="track">GPX</a>
              <a href="track.geojson" class="track">GeoJSON</a></p>
          </section>

          <section id="map" aria-labelledby="map-heading">
            <h2 id="map-heading">Map</h2>
            <div id="map-frame" tabindex="0" role="group" aria-label="Map. Arrow keys move it, plus and minus zoom, 0 follows the position.">
              <canvas id="map-canvas" role="img"></canvas>
              <div id="map-buttons">
                <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
                <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
                <button type="button" id="follow" aria-pressed="true">Follow</button>
              </div>
              <p id="attribution"></p>
            </div>
          </section>

          <section id="sky" aria-labelledby="sky-heading">
            <h2 id="sky-heading">Sky</h2>
            <svg id="sky-plot" viewBox="-120 -116 240 232" role="img"></svg>
            <p class="legend"><span class="used">●</span> used <span class="seen">○</span> seen</p>
          </section>

          <section id="signals" aria-labelledby="signals-heading">
            <h2 id="signals-heading">Signals <small>dB-Hz</small></h2>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="signals-heading"><table>
              <thead class="hidden"><tr><th>System</th><th>Satellite</th><th>Signal</th><th>Used</th></tr></thead>
              <tbody id="signal-rows"></tbody>
            </table><p id="no-signals">No signal is received.</p></div>
          </section>

          <section id="history" aria-labelledby="history-heading">
            <h2 id="history-heading">Last 10 minutes</h2>
            <div id="charts"></div>
          </section>

          <section id="receivers" aria-labelledby="receivers-heading">
            <h2 id="receivers-heading">Receivers</h2>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="receivers-heading"><table>
              <thead><tr><th>Receiver</th><th>State</th><th>Accuracy</th><th>Last fix</th></tr></thead>
              <tbody id="receiver-rows"></tbody>
            </table><p id="more-receivers"></p></div>
          </section>

          <section id="log" aria-labelledby="log-heading">
            <h2 id="log-heading">What happened</h2>
            <ol id="log-rows" class="scroll" tabindex="0" aria-labelledby="log-heading"></ol>
          </section>
        </main>
        <noscript><p>This page needs JavaScript. The newest position as JSON is at <a href="location">location</a>.</p></noscript>
        </body>
        </html>

        """#
    static let css: StaticString = #"""
        :root {
          color-scheme: light dark;
          --page: #f4f5f7;
          --box: #ffffff;
          --text: #1a1f27;
          --faint: #596273;
          --line: #d3d8e0;
          --accent: #1d4ed8;
          --good: #13713c;
          --good-box: #dff3e6;
          --waiting: #8a4b00;
          --waiting-box: #fdecc8;
          --bad: #b42318;
          --bad-box: #fde3e0;
          --used: #1d6fd8;
          --grid: #e2e6ec;
          --track: #1d4ed8;
          --fence: #7c3aed;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #10141b;
            --box: #191f29;
            --text: #e7ebf2;
            --faint: #a3adbd;
            --line: #344052;
            --accent: #8ab4ff;
            --good: #6ee7a0;
            --good-box: #12351f;
            --waiting: #fbc25a;
            --waiting-box: #3a2a0b;
            --bad: #ff9b91;
            --bad-box: #431814;
            --used: #6ba6ff;
            --grid: #28313f;
            --track: #8ab4ff;
            --fence: #c4a5ff;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto;
          max-width: 96rem;
          padding: 0.75rem;
          background: var(--page);
          color: var(--text);
          font: 1rem/1.45 system-ui, sans-serif;
        }
        h1 { margin: 0 0 0.5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
        h1 span { color: var(--faint); font-weight: normal; }
        h2 { margin: 0 0 0.4rem; font-size: 0.95rem; color: var(--faint); }
        h2 small { font-weight: normal; }
        p { margin: 0.3rem 0 0; }
        a { color: var(--accent); }
        [hidden], .hidden:not(:focus-within) { display: none; }
        thead.hidden, h2.hidden {
          display: block;
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        button, input {
          min-height: 2.5rem;
          padding: 0.3rem 0.8rem;
          border: 1px solid var(--line);
          border-radius: 0.4rem;
          background: var(--box);
          color: var(--text);
          font: inherit;
        }
        button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); font-weight: bold; }
        #stream:not(:empty) {
          margin-bottom: 0.6rem;
          padding: 0.6rem 0.8rem;
          border-radius: 0.5rem;
          background: var(--bad-box);
          color: var(--bad);
          font-weight: bold;
        }
        #sign-in { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
        #sign-in[hidden] { display: none; }
        #sign-in-failure { width: 100%; color: var(--bad); }

        main { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
        main[hidden] { display: none; }
        section {
          min-width: 0;
          padding: 0.75rem;
          border: 1px solid var(--line);
          border-radius: 0.6rem;
          background: var(--box);
        }
        @media (min-width: 46rem) {
          main {
            grid-template-columns: repeat(2, minmax(0, 1fr));
            grid-template-areas: "state state" "map map" "position log" "sky signals" "history receivers";
          }
          #state { grid-area: state; } #map { grid-area: map; } #position { grid-area: position; } #log { grid-area: log; }
          #sky { grid-area: sky; } #signals { grid-area: signals; } #history { grid-area: history; }
          #receivers { grid-area: receivers; }
        }
        @media (min-width: 75rem) {
          main {
            grid-template-columns: 2fr 1fr 1fr;
            grid-template-areas: "state state state" "map position position" "map sky signals" "history log receivers";
          }
        }
        /* The devices of a fleet have a place on the map and in the list; none is the one whose sky would be shown. */
        .fleet #position, .fleet #sky, .fleet #signals, .fleet #history, .fleet #follow { display: none; }
        @media (min-width: 46rem) {
          main.fleet { grid-template-columns: 2fr 1fr; grid-template-areas: "state state" "map receivers" "log receivers"; }
          .fleet #receivers .scroll { max-height: none; }
        }

        #state { border-width: 2px; }
        #state p:first-of-type { font-size: 1.25rem; }
        #state[data-state="found"] { border-color: var(--good); background: var(--good-box); }
        #state[data-state="found"] strong { color: var(--good); }
        #state[data-state="searching"] { border-color: var(--waiting); background: var(--waiting-box); }
        #state[data-state="searching"] strong { color: var(--waiting); }
        #state[data-state="error"], #state[data-state="disconnected"] { border-color: var(--bad); background: var(--bad-box); }
        #state[data-state="error"] strong, #state[data-state="disconnected"] strong { color: var(--bad); }
        #state-text, #age { margin: 0; overflow-wrap: anywhere; }
        #age { color: var(--faint); }

        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 0.5rem 0.75rem; margin: 0; }
        dl .wide { grid-column: 1 / -1; }
        dt { color: var(--faint); font-size: 0.85rem; }
        dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
        dd#coordinate { font-size: 1.35rem; overflow-wrap: anywhere; }
        /* A position that is not current never looks like one; the heading says so in words. */
        .stale dd { color: var(--faint); font-style: italic; }
        .stale { border-style: dashed; border-color: var(--waiting); }
        .stale h2 { color: var(--waiting); }
        .links a { margin-right: 0.8rem; }

        #map-frame { position: relative; height: min(28rem, 70vh); touch-action: none; }
        #map-canvas { display: block; width: 100%; height: 100%; border-radius: 0.4rem; }
        #map-buttons { position: absolute; top: 0.5rem; right: 0.5rem; display: flex; flex-direction: column; gap: 0.4rem; align-items: end; }
        #attribution { position: absolute; right: 0.3rem; bottom: 0.2rem; padding: 0 0.3rem; background: var(--box); font-size: 0.75rem; }
        #attribution:empty { display: none; }
        @media (min-width: 75rem) { #map-frame { height: 34rem; } }

        #sky-plot { display: block; width: 100%; max-height: 19rem; }
        #sky-plot text { fill: var(--text); font: 7px system-ui, sans-serif; text-anchor: middle; }
        #sky-plot text.direction { fill: var(--faint); font-size: 9px; }
        #sky-plot .ring { fill: none; stroke: var(--line); }
        #sky-plot .seen { fill: var(--box); stroke: var(--faint); stroke-width: 1.5; }
        #sky-plot .used { fill: var(--used); stroke: var(--used); stroke-width: 1.5; }
        .legend { color: var(--faint); font-size: 0.85rem; }
        .legend .used { color: var(--used); }

        .scroll { max-height: 19rem; overflow: auto; }
        table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th { padding-right: 0.5rem; color: var(--faint); font-size: 0.85rem; font-weight: normal; text-align: left; white-space: nowrap; }
        td { padding: 0.1rem 0.5rem 0.1rem 0; white-space: nowrap; }
        #receiver-rows td:first-child { overflow-wrap: anywhere; white-space: normal; }
        #signal-rows td:nth-child(3) { width: 100%; }
        .bar { display: flex; align-items: center; gap: 0.4rem; }
        .bar i { height: 0.8rem; border: 1px solid var(--faint); border-radius: 2px; }
        .bar.used i { border-color: var(--used); background: var(--used); }
        #signals table:has(tbody:not(:empty)) + p { display: none; }

        .chart { margin-bottom: 0.5rem; }
        .chart p { display: flex; justify-content: space-between; margin: 0; font-size: 0.85rem; }
        .chart svg { display: block; width: 100%; height: 3.2rem; border-bottom: 1px solid var(--line); }
        .chart path { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        .chart .lost { fill: var(--waiting); opacity: 0.25; }

        #log-rows { margin: 0; padding: 0; list-style: none; }
        #log-rows li { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 0.5rem; padding: 0.15rem 0; border-bottom: 1px solid var(--line); }
        #log-rows time { color: var(--faint); font-variant-numeric: tabular-nums; }
        #log-rows span { overflow-wrap: anywhere; }
        .found { color: var(--good); } .searching { color: var(--waiting); } .error { color: var(--bad); }
        tr.current td:first-child { font-weight: bold; }
        @media (prefers-reduced-motion: no-preference) { #state { transition: background 0.3s, border-color 0.3s; } }

        """#
    static let icon: StaticString = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="#dbeafe" stroke="#1d4ed8" stroke-width="2"/><circle cx="16" cy="16" r="5" fill="#1d4ed8"/></svg>

        """#
    static let scripts: [(path: String, text: StaticString)] = [
        ("/charts.js", #"""
            // The sky, the signals and the history as pictures, each with its content in words.

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

            export function drawSky(svg, sky) {
              const satellites = sky?.satellites ?? [];
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
              const heard = (sky?.satellites ?? []).filter((satellite) => satellite.ss > 0 && satelliteName(satellite));
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
                length.style.width = `${Math.min(100, (satellite.ss / 60) * 100)}%`;
                bar.append(length, satellite.ss.toFixed(0));
                cells[2].append(bar);
                return row;
              }));
            }

            const rows = [
              { key: "eph", title: "Accuracy", unit: "m", decimals: 1 },
              { key: "speed", title: "Speed", unit: "m/s", decimals: 1 },
              { key: "used", title: "Satellites used", unit: "", decimals: 0 },
            ];

            export function drawHistory(container, points, now) {
              const start = now - historyLength;
              const recent = points.filter((point) => point.time >= start && point.time <= now + 1000);
              container.replaceChildren(...rows.map(({ key, title, unit, decimals }) => {
                const values = recent.map((point) => point[key]).filter(Number.isFinite);
                const [low, high] = [Math.min(0, ...values), Math.max(1e-9, ...values)];
                const chart = document.createElement("div");
                chart.className = "chart";
                const heading = document.createElement("p");
                const range = values.length ? `${Math.min(...values).toFixed(decimals)} to ${Math.max(...values).toFixed(decimals)} ${unit}` : "–";
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

            """#),
        ("/map.js", #"""
            // A map on a canvas: tiles if there are any, else a grid; the track, the fences, the position and its accuracy.

            import { length } from "./text.js";

            const tileSize = 256;
            const earth = 40075016.686;
            const tileLimit = 256;

            // Web Mercator, with a world of 1 by 1.
            function project(lat, lon) {
              const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI) / 180);
              return { x: (lon + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
            }

            function latitude(y) {
              return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
            }

            export class LiveMap {
              constructor(frame, canvas, redraw) {
                Object.assign(this, { frame, canvas, redraw });
                this.context = canvas.getContext("2d");
                this.zoom = 17;
                this.center = undefined;
                this.follows = true;
                this.isMoved = false;
                this.tiles = new Map();
                this.pointers = new Map();
                this.listen();
              }

              listen() {
                const frame = this.frame;
                frame.addEventListener("pointerdown", (event) => {
                  if (event.target.closest("button, a")) return;
                  this.pointers.set(event.pointerId, event);
                  frame.setPointerCapture(event.pointerId);
                });
                frame.addEventListener("pointermove", (event) => {
                  const before = this.pointers.get(event.pointerId);
                  if (!before) return;
                  const spread = this.spread();
                  this.pointers.set(event.pointerId, event);
                  const share = 1 / this.pointers.size;
                  this.pan((before.clientX - event.clientX) * share, (before.clientY - event.clientY) * share);
                  if (spread > 0 && this.spread() > 0) this.zoomBy(Math.log2(this.spread() / spread));
                });
                for (const name of ["pointerup", "pointercancel"]) {
                  frame.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
                }
                frame.addEventListener("wheel", (event) => {
                  event.preventDefault();
                  this.zoomBy(event.deltaY < 0 ? 0.5 : -0.5);
                }, { passive: false });
                frame.addEventListener("keydown", (event) => {
                  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, a")) return;
                  const step = 60;
                  const actions = {
                    ArrowLeft: () => this.pan(-step, 0), ArrowRight: () => this.pan(step, 0), ArrowUp: () => this.pan(0, -step),
                    ArrowDown: () => this.pan(0, step), "+": () => this.zoomBy(1), "=": () => this.zoomBy(1),
                    "-": () => this.zoomBy(-1), 0: () => this.follow(true),
                  };
                  const action = actions[event.key];
                  if (!action) return;
                  event.preventDefault();
                  action();
                });
                new ResizeObserver(() => this.redraw()).observe(frame);
              }

              spread() {
                if (this.pointers.size !== 2) return 0;
                const [a, b] = [...this.pointers.values()];
                return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
              }

              get scale() { return tileSize * 2 ** this.zoom; }

              pan(x, y) {
                if (!this.center || (x === 0 && y === 0)) return;
                this.isMoved = true;
                this.center = {
                  x: (((this.center.x + x / this.scale) % 1) + 1) % 1,
                  y: Math.max(0, Math.min(1, this.center.y + y / this.scale)),
                };
                this.follow(false);
              }

              zoomBy(steps) {
                this.isMoved = true;
                this.zoom = Math.max(2, Math.min(22, this.zoom + steps));
                this.redraw();
              }

              follow(follows) {
                this.follows = follows;
                this.redraw();
              }

              // Shows all of some positions.
              fit(places) {
                const all = places.map((place) => project(place.lat, place.lon));
                if (all.length === 0) return;
                const [xs, ys] = [all.map((place) => place.x), all.map((place) => place.y)];
                const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
                this.center = { x: (left + right) / 2, y: (top + bottom) / 2 };
                const { width, height } = this.frame.getBoundingClientRect();
                const fits = Math.min(width / (right - left || 1e-9), height / (bottom - top || 1e-9)) * 0.8;
                this.zoom = Math.max(2, Math.min(17, Math.log2(fits / tileSize)));
              }

              // The place of a position on the canvas, in CSS pixels.
              place(lat, lon) {
                const world = project(lat, lon);
                let x = world.x - this.center.x;
                x -= Math.round(x);
                return { x: this.width / 2 + x * this.scale, y: this.height / 2 + (world.y - this.center.y) * this.scale };
              }

              // Draws the scene: {points, fences, shown, isCurrent, devices, tiles}.
              draw(scene) {
                const { width, height } = this.frame.getBoundingClientRect();
                const ratio = window.devicePixelRatio || 1;
                if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
                  this.canvas.width = Math.round(width * ratio);
                  this.canvas.height = Math.round(height * ratio);
                }
                Object.assign(this, { width, height });
                const style = getComputedStyle(document.documentElement);
                this.color = (name) => style.getPropertyValue(`--${name}`);
                const context = this.context;
                context.setTransform(ratio, 0, 0, ratio, 0, 0);
                context.fillStyle = this.color("box");
                context.fillRect(0, 0, width, height);
                const target = scene.shown?.location ?? scene.points.at(-1) ?? scene.fences[0];
                if (target?.lat !== undefined && (this.follows || !this.center)) this.center = project(target.lat, target.lon);
                if (!this.center) {
                  context.fillStyle = this.color("faint");
                  context.font = "16px system-ui, sans-serif";
                  context.textAlign = "center";
                  context.fillText("no position yet", width / 2, height / 2);
                  return;
                }
                const metresPerPixel = (Math.cos((latitude(this.center.y) * Math.PI) / 180) * earth) / this.scale;
                if (scene.tiles) this.drawTiles(scene.tiles); else this.drawGrid(metresPerPixel);
                this.drawFences(scene.fences, metresPerPixel);
                this.drawTrack(scene.points);
                this.drawDevices(scene.devices);
                if (scene.shown?.location) this.drawPosition(scene.shown.location, scene.isCurrent, metresPerPixel);
                this.drawScale(metresPerPixel);
                this.drawNorth();
              }

              drawGrid(metresPerPixel) {
                const spacing = nice(metresPerPixel * 60) / metresPerPixel;
                const context = this.context;
                context.strokeStyle = this.color("grid");
                context.lineWidth = 1;
                context.beginPath();
                const offset = (center, size) => (((size / 2 - center * this.scale) % spacing) + spacing) % spacing;
                for (let x = offset(this.center.x, this.width); x < this.width; x += spacing) {
                  context.moveTo(Math.round(x) + 0.5, 0);
                  context.lineTo(Math.round(x) + 0.5, this.height);
                }
                for (let y = offset(this.center.y, this.height); y < this.height; y += spacing) {
                  context.moveTo(0, Math.round(y) + 0.5);
                  context.lineTo(this.width, Math.round(y) + 0.5);
                }
                context.stroke();
              }

              drawTiles(address) {
                const level = Math.max(0, Math.min(19, Math.round(this.zoom)));
                const count = 2 ** level;
                const size = this.scale / count;
                const [left, top] = [this.center.x * this.scale - this.width / 2, this.center.y * this.scale - this.height / 2];
                for (let row = Math.floor(top / size); row * size < top + this.height; row++) {
                  if (row < 0 || row >= count) continue;
                  for (let column = Math.floor(left / size); column * size < left + this.width; column++) {
                    const image = this.tile(address, level, ((column % count) + count) % count, row);
                    if (!image.complete || image.naturalWidth === 0) continue;
                    this.context.drawImage(image, column * size - left, row * size - top, size + 0.5, size + 0.5);
                  }
                }
              }

              tile(address, z, x, y) {
                const key = `${z}/${x}/${y}`;
                let image = this.tiles.get(key);
                if (image) return image;
                image = new Image();
                image.onload = () => this.redraw();
                image.src = address.replaceAll("{z}", z).replaceAll("{x}", x).replaceAll("{y}", y);
                this.tiles.set(key, image);
                if (this.tiles.size > tileLimit) this.tiles.delete(this.tiles.keys().next().value);
                return image;
              }

              drawFences(fences, metresPerPixel) {
                const context = this.context;
                context.strokeStyle = context.fillStyle = this.color("fence");
                context.lineWidth = 2;
                context.setLineDash([8, 4]);
                context.font = "13px system-ui, sans-serif";
                context.textAlign = "center";
                for (const fence of fences) {
                  context.beginPath();
                  let label;
                  if (fence.radius !== undefined) {
                    const center = this.place(fence.lat, fence.lon);
                    const radius = fence.radius / metresPerPixel;
                    context.arc(center.x, center.y, radius, 0, 2 * Math.PI);
                    label = { x: center.x, y: center.y - radius - 5 };
                  } else {
                    const corners = fence.points.map(([lat, lon]) => this.place(lat, lon));
                    corners.forEach((corner) => context.lineTo(corner.x, corner.y));
                    context.closePath();
                    label = corners.reduce((top, corner) => (corner.y < top.y ? corner : top));
                  }
                  context.stroke();
                  context.fillText(fence.name, label.x, label.y - 3);
                }
                context.setLineDash([]);
              }

              drawTrack(points) {
                const context = this.context;
                context.strokeStyle = this.color("track");
                context.lineWidth = 3;
                context.lineJoin = "round";
                context.beginPath();
                let last;
                for (const point of points) {
                  const place = this.place(point.lat, point.lon);
                  // Points closer than a pixel make no difference.
                  if (!point.segment && last && Math.hypot(place.x - last.x, place.y - last.y) < 1) continue;
                  if (point.segment || !last || Math.abs(place.x - last.x) > this.scale / 2) context.moveTo(place.x, place.y);
                  else context.lineTo(place.x, place.y);
                  last = place;
                }
                context.globalAlpha = 0.7;
                context.stroke();
                context.globalAlpha = 1;
              }

              drawDevices(devices) {
                const context = this.context;
                context.font = "12px system-ui, sans-serif";
                context.textAlign = "left";
                let labels = 0;
                for (const { location, name, isFound } of devices) {
                  const place = this.place(location.lat, location.lon);
                  if (place.x < -20 || place.y < -20 || place.x > this.width + 20 || place.y > this.height + 20) continue;
                  context.beginPath();
                  context.arc(place.x, place.y, 5, 0, 2 * Math.PI);
                  context.fillStyle = this.color(isFound ? "good" : "box");
                  context.strokeStyle = this.color(isFound ? "good" : "faint");
                  context.fill();
                  context.lineWidth = 2;
                  context.stroke();
                  if (labels++ > 60) continue;
                  context.fillStyle = this.color("text");
                  context.fillText(name.split("/").pop(), place.x + 8, place.y + 4);
                }
              }

              drawPosition(location, isCurrent, metresPerPixel) {
                const context = this.context;
                const { x, y } = this.place(location.lat, location.lon);
                const color = this.color(isCurrent ? "accent" : "faint");
                if (Number.isFinite(location.eph)) {
                  context.beginPath();
                  context.arc(x, y, Math.max(1, location.eph / metresPerPixel), 0, 2 * Math.PI);
                  context.globalAlpha = isCurrent ? 0.15 : 0.05;
                  context.fillStyle = color;
                  context.fill();
                  context.globalAlpha = 1;
                  context.setLineDash(isCurrent ? [] : [4, 4]);
                  context.lineWidth = 1.5;
                  context.strokeStyle = color;
                  context.stroke();
                  context.setLineDash([]);
                }
                if (isCurrent && Number.isFinite(location.course) && location.speed > 0.5) {
                  context.save();
                  context.translate(x, y);
                  context.rotate((location.course * Math.PI) / 180);
                  context.fillStyle = color;
                  context.beginPath();
                  context.moveTo(0, -22);
                  context.lineTo(7, -10);
                  context.lineTo(-7, -10);
                  context.fill();
                  context.restore();
                }
                context.beginPath();
                context.arc(x, y, 8, 0, 2 * Math.PI);
                context.fillStyle = isCurrent ? color : this.color("box");
                context.fill();
                context.lineWidth = 3;
                context.strokeStyle = isCurrent ? this.color("box") : color;
                context.stroke();
              }

              drawScale(metresPerPixel) {
                const metres = nice(metresPerPixel * 110);
                const size = metres / metresPerPixel;
                const [left, bottom] = [12, this.height - 12];
                const context = this.context;
                context.strokeStyle = context.fillStyle = this.color("text");
                context.lineWidth = 2;
                context.beginPath();
                context.moveTo(left, bottom - 6);
                context.lineTo(left, bottom);
                context.lineTo(left + size, bottom);
                context.lineTo(left + size, bottom - 6);
                context.stroke();
                context.font = "13px system-ui, sans-serif";
                context.textAlign = "left";
                context.fillText(length(metres), left + 6, bottom - 6);
              }

              drawNorth() {
                const context = this.context;
                context.fillStyle = this.color("text");
                context.beginPath();
                context.moveTo(22, 10);
                context.lineTo(29, 32);
                context.lineTo(22, 27);
                context.lineTo(15, 32);
                context.fill();
                context.font = "bold 13px system-ui, sans-serif";
                context.textAlign = "center";
                context.fillText("N", 22, 46);
              }
            }

            // The largest of 1, 2, 5, 10, … that is not larger.
            function nice(value) {
              const power = 10 ** Math.floor(Math.log10(value));
              return [5, 2, 1].map((factor) => factor * power).find((size) => size <= value) ?? power;
            }

            """#),
        ("/model.js", #"""
            // The state of the session as it follows from the events.

            import { logged } from "./text.js";

            const logLimit = 100;
            const pointLimit = 20000;

            export class Model {
              constructor() {
                this.points = [];
                this.reset();
              }

              // Begins anew with the lines that a new reader gets; the track stays.
              reset() {
                this.state = { event: "state", to: "searching", reason: "starting" };
                this.stateTime = undefined;
                this.current = undefined;
                this.devices = new Map();
                this.log = [];
                this.ended = false;
              }

              device(name = "") {
                let device = this.devices.get(name);
                if (!device) this.devices.set(name, (device = { name, state: undefined, location: undefined, sky: undefined }));
                return device;
              }

              // The device whose position is shown.
              get shown() {
                if (this.current !== undefined && this.devices.has(this.current)) return this.devices.get(this.current);
                return [...this.devices.values()].find((device) => device.location) ?? this.devices.values().next().value;
              }

              get isFound() { return this.state.to === "found"; }

              // Processes an event that has arrived at `now`, in milliseconds; `isNews` tells it from what a new reader is told.
              apply(event, now, isNews) {
                switch (event.event) {
                  case "start": this.reset(); break;
                  case "state":
                    this.state = event;
                    this.stateTime = isNews ? now : undefined;
                    if (event.to === "found") this.current = event.device ?? "";
                    break;
                  case "handover": this.current = event.to ?? ""; break;
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
                const text = JSON.stringify(event);
                // The line of the current state comes again at the end of what a new reader is told.
                if (this.log.some((entry) => entry.text === text)) return;
                this.log.unshift({ time: event.time, word: words[0], words: words[1], text });
                this.log.length = Math.min(this.log.length, logLimit);
              }

              locate(event, now, isNews) {
                const device = this.device(event.device);
                device.location = event;
                device.arrived = isNews ? now : undefined;
                if (this.current === undefined) this.current = event.device ?? "";
                if (!isNews || this.isFleet || event.late || (event.device ?? "") !== this.current) return;
                const point = {
                  time: Date.parse(event.time ?? event.received), lat: event.lat, lon: event.lon, altMSL: event.altMSL,
                  eph: event.eph, speed: event.speed, used: event.used, segment: 0,
                };
                const last = this.points.at(-1);
                if (event.revision > 0 && last && last.time === point.time) {
                  this.points[this.points.length - 1] = { ...point, segment: last.segment };
                  return;
                }
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

            """#),
        ("/page.js", #"""
            // The page: it follows the stream of events, and shows what they say.

            import { drawHistory, drawSignals, drawSky } from "./charts.js";
            import { LiveMap } from "./map.js";
            import { Model } from "./model.js";
            import { clock, direction, number, spoken, transition } from "./text.js";

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
              $("place").textContent = facts.place;
              document.title = `locwatch: ${facts.place}`;
              $("session").classList.toggle("fleet", facts.isFleet);
              for (const link of document.querySelectorAll("a.track")) link.hidden = facts.isFleet;
              if (facts.tiles) {
                const host = new URL(facts.tiles.replaceAll(/[{}]/g, "")).host;
                $("attribution").textContent = /(^|\.)openstreetmap\.org$/.test(host) ? "© OpenStreetMap contributors" : `Map: ${host}`;
              }
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
              set("stream", isConnected ? "" : "The connection to locwatch is broken. Trying again…");
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

            function renderState(device) {
              const state = isConnected ? model.state.to : "disconnected";
              $("state").dataset.state = state;
              set("state-word", isConnected ? model.state.to : "disconnected");
              set("reason", !isConnected ? `before that: ${model.state.to}, ${transition(model.state)}` : model.ended ? `${transition(model.state)}; the recording has ended` : transition(model.state));
              const seconds = age(device);
              const isOld = !isConnected || !model.isFound;
              set("age", !device?.location ? "There was no position yet."
                : isOld ? `The last position is ${seconds === undefined ? `from ${clock(device.location.time)}` : `${spoken(seconds)} old`}.`
                  : "");
            }

            function renderPosition(device, isCurrent) {
              const location = device?.location;
              $("position").classList.toggle("stale", Boolean(location) && !isCurrent);
              set("position-heading", !location || isCurrent ? "Position" : "Last known position");
              set("coordinate", location ? `${location.lat.toFixed(6)}, ${location.lon.toFixed(6)}` : "–");
              set("accuracy", Number.isFinite(location?.eph) ? `± ${location.eph.toFixed(1)} m` : "–");
              set("altitude", number(location?.altMSL ?? location?.altHAE, 0, "m"));
              set("speed", Number.isFinite(location?.speed) ? `${(location.speed * 3.6).toFixed(1)} km/h` : "–");
              set("course", direction(location?.course));
              const sky = device?.sky;
              set("satellites", sky ? `${sky.used ?? "–"} of ${sky.seen ?? "–"}` : "–");
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
                const state = isConnected ? (device.state?.to ?? "unknown") : "unknown";
                const texts = [
                  device.name || "unnamed", state, Number.isFinite(device.location?.eph) ? `± ${device.location.eph.toFixed(1)} m` : "–",
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

            let logged = "";

            function renderLog() {
              const newest = `${model.log.length} ${model.log[0]?.text}`;
              if (newest === logged) return;
              logged = newest;
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

            """#),
        ("/text.js", #"""
            // Words and numbers for people.

            export function spoken(seconds) {
              if (!Number.isFinite(seconds)) return "";
              const whole = Math.max(0, Math.round(seconds));
              if (whole < 60) return `${whole} s`;
              if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
              return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
            }

            export function number(value, decimals, unit) {
              return Number.isFinite(value) ? `${value.toFixed(decimals)} ${unit}` : "–";
            }

            export function clock(time) {
              const date = new Date(time);
              return Number.isNaN(date.getTime()) ? "–" : date.toLocaleTimeString([], { hour12: false });
            }

            const points = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

            export function direction(degrees) {
              if (!Number.isFinite(degrees)) return "–";
              const turn = ((degrees % 360) + 360) % 360;
              return `${turn.toFixed(0)}° ${points[Math.round(turn / 22.5) % 16]}`;
            }

            export function length(metres) {
              return metres >= 1000 ? `${+(metres / 1000).toFixed(1)} km` : `${metres} m`;
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
                return `fix lost after ${spoken(event.after)}: ${reason(event)}`;
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
                case "fence": return ["fence", device + { inside: "inside ", enter: "entered ", exit: "left ", dwell: "stays in " }[event.change] + event.fence];
                case "notice": return event.status === "authorized" ? undefined : [event.event, event.message];
                case "error": return [event.event, event.message];
                case "end": return ["end", event.reason === "ended" ? "the recording or the stream has ended" : `the session has ended: ${event.reason}`];
                default: return undefined;
              }
            }

            """#),
    ]
}
