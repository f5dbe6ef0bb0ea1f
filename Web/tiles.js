// The tiles of the map: pictures of streets, of which those that were shown last stay in memory.

import { project } from "./mercator.js";

const tileLimit = 256;
// The side of a tile in CSS pixels below which too many would be needed.
const leastSide = 60;
// The number of levels by which a tile is enlarged in the place of one that is missing.
const enlargements = 8;
// The time until a tile that has failed is asked for again, which doubles, in milliseconds.
const firstPause = 30000;
const longestPause = 960000;

export class TileLayer {
  constructor(redraw) {
    this.redraw = redraw;
    this.tiles = new Map();
  }

  // Draws the tiles of a source, {address, minzoom, maxzoom, bounds, side}, into a view, {center, scale, width, height, ratio}.
  draw(context, source, view) {
    const pixels = source.side ?? this.side ?? 256;
    // A pixel of a tile is one of the screen, which can have several in one of CSS.
    const wanted = Math.round(Math.log2((view.scale * view.ratio) / pixels));
    const level = Math.max(source.minzoom, Math.min(source.maxzoom, wanted));
    const count = 2 ** level;
    const size = view.scale / count;
    if (size < leastSide) return;
    const area = worldArea(source.bounds);
    const [left, top] = [view.center.x * view.scale - view.width / 2, view.center.y * view.scale - view.height / 2];
    // Edges between pixels would leave seams.
    const edge = (place) => Math.round(place * view.ratio) / view.ratio;
    for (let row = Math.max(0, Math.floor(top / size)); row < count && row * size < top + view.height; row++) {
      if ((row + 1) / count <= area.top || row / count >= area.bottom) continue;
      for (let column = Math.floor(left / size); column * size < left + view.width; column++) {
        const x = ((column % count) + count) % count;
        if ((x + 1) / count <= area.left || x / count >= area.right) continue;
        const part = this.part(source, level, x, row);
        if (!part) continue;
        const [x0, y0] = [edge(column * size - left), edge(row * size - top)];
        const [x1, y1] = [edge((column + 1) * size - left), edge((row + 1) * size - top)];
        context.drawImage(part.image, part.x, part.y, part.width, part.height, x0, y0, x1 - x0, y1 - y0);
      }
    }
  }

  // Returns the picture of a tile, or the part of a larger one that has its place, if any has arrived.
  part(source, level, x, y) {
    let asks = true;
    for (let up = 0; up <= enlargements && level - up >= source.minzoom; up++) {
      const share = 2 ** up;
      const [column, row] = [Math.floor(x / share), Math.floor(y / share)];
      const tile = this.tile(source, level - up, column, row, asks);
      // While a tile is on its way, only those that are there already take its place.
      if (tile && !tile.isDone) asks = false;
      if (!tile?.image) continue;
      const [width, height] = [tile.image.naturalWidth / share, tile.image.naturalHeight / share];
      return { image: tile.image, x: (x - column * share) * width, y: (y - row * share) * height, width, height };
    }
    return undefined;
  }

  // Returns a tile, {isDone, image}, which is asked for if it is not there and `asks` is true.
  tile(source, z, x, y, asks) {
    const key = `${z}/${x}/${y}`;
    const known = this.tiles.get(key);
    const isOver = known?.again !== undefined && performance.now() >= known.again;
    if (known && !(isOver && asks)) {
      // The tile that was shown last is the last one to go.
      this.tiles.delete(key);
      this.tiles.set(key, known);
      return known;
    }
    if (!asks) return undefined;
    const tile = { isDone: false, image: undefined, again: undefined, pause: known ? known.pause * 2 : firstPause };
    const image = new Image();
    image.onload = () => {
      [tile.isDone, tile.image] = [true, image];
      this.side ??= Math.max(256, Math.min(1024, image.naturalWidth));
      this.redraw();
    };
    image.onerror = () => {
      [tile.isDone, tile.again] = [true, performance.now() + Math.min(longestPause, tile.pause)];
      this.redraw();
    };
    image.src = source.address.replaceAll("{z}", z).replaceAll("{x}", x).replaceAll("{y}", y);
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    if (this.tiles.size > tileLimit) this.tiles.delete(this.tiles.keys().next().value);
    return tile;
  }
}

// The area of the bounds [west, south, east, north] in a world of 1 by 1, or all of it.
function worldArea(bounds) {
  if (!bounds) return { left: 0, top: 0, right: 1, bottom: 1 };
  const [west, south, east, north] = bounds;
  const [bottomLeft, topRight] = [project(south, west), project(north, east)];
  return { left: bottomLeft.x, top: topRight.y, right: topRight.x, bottom: bottomLeft.y };
}
