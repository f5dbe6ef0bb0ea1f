// A map on a canvas: a grid, and tiles if there are any; the track, the fences, the position and its accuracy.

import { latitude, project } from "./mercator.js";
import { units } from "./text.js";
import { TileLayer } from "./tiles.js";

const tileSize = 256;
const earth = 40075016.686;

export class LiveMap {
  constructor(frame, canvas, redraw) {
    Object.assign(this, { frame, canvas, redraw });
    this.context = canvas.getContext("2d");
    this.zoom = 17;
    this.center = undefined;
    this.follows = true;
    this.isMoved = false;
    this.tiles = new TileLayer(redraw);
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
    Object.assign(this, { width, height, hasTiles: Boolean(scene.tiles) });
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
    this.drawGrid(metresPerPixel);
    if (scene.tiles) this.tiles.draw(context, scene.tiles, { center: this.center, scale: this.scale, width, height, ratio });
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

  // Draws the edge around a shape that makes it visible above any tile.
  outline() {
    if (!this.hasTiles) return;
    const context = this.context;
    context.save();
    context.strokeStyle = this.color("box");
    context.lineWidth = 6;
    context.lineJoin = "round";
    context.stroke();
    context.restore();
  }

  // Writes a text, which can be read above any tile.
  write(text, x, y) {
    const context = this.context;
    if (this.hasTiles) {
      context.save();
      context.strokeStyle = this.color("box");
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.setLineDash([]);
      context.strokeText(text, x, y);
      context.restore();
    }
    context.fillText(text, x, y);
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
      this.outline();
      context.stroke();
      this.write(fence.name, label.x, label.y - 3);
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
    this.outline();
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
      this.write(name.split("/").pop(), place.x + 8, place.y + 4);
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
      context.closePath();
      this.outline();
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
    const longest = metresPerPixel * 110;
    const [metres, unit] = longest < units.distance[0] ? units.length : units.distance;
    const value = nice(longest / metres);
    const size = (value * metres) / metresPerPixel;
    const [left, bottom] = [12, this.height - 12];
    const context = this.context;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(left, bottom - 6);
    context.lineTo(left, bottom);
    context.lineTo(left + size, bottom);
    context.lineTo(left + size, bottom - 6);
    this.outline();
    context.strokeStyle = context.fillStyle = this.color("text");
    context.stroke();
    context.font = "13px system-ui, sans-serif";
    context.textAlign = "left";
    this.write(`${+value.toPrecision(1)} ${unit}`, left + 6, bottom - 6);
  }

  drawNorth() {
    const context = this.context;
    context.beginPath();
    context.moveTo(22, 10);
    context.lineTo(29, 32);
    context.lineTo(22, 27);
    context.lineTo(15, 32);
    context.closePath();
    this.outline();
    context.fillStyle = this.color("text");
    context.fill();
    context.font = "bold 13px system-ui, sans-serif";
    context.textAlign = "center";
    this.write("N", 22, 46);
  }
}

// The largest of 1, 2, 5, 10, … that is not larger.
function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((factor) => factor * power).find((size) => size <= value) ?? power;
}
