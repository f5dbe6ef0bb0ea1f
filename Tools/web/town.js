// Draws a tile of an invented town as the address of a picture of a kind; the avenues are positions of latitude and longitude.

const metres = 40075016.686;
const centre = [45.0722, 7.6735];
const turn = (27 * Math.PI) / 180;

function mercator([lat, lon]) {
  return [(lon + 180) / 360, 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)];
}

// Returns the position at a distance from the centre along and across the streets, in metres.
function at(along, across) {
  const degree = metres / 360;
  const [north, east] = [along * Math.cos(turn) - across * Math.sin(turn), along * Math.sin(turn) + across * Math.cos(turn)];
  return [centre[0] + north / degree, centre[1] + east / (degree * Math.cos((centre[0] * Math.PI) / 180))];
}

function draw(z, x, y, kind, avenues) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 256, height: 256 });
  const context = canvas.getContext("2d");
  const place = (position) => mercator(position).map((part, axis) => (part * 2 ** z - [x, y][axis]) * 256);
  // The pixels of a metre.
  const scale = (256 * 2 ** z) / (metres * Math.cos((centre[0] * Math.PI) / 180));

  function path(positions, isClosed) {
    context.beginPath();
    for (const position of positions) context.lineTo(...place(position));
    if (isClosed) context.closePath();
  }

  function area(positions, color) {
    path(positions, true);
    context.fillStyle = color;
    context.fill();
  }

  function line(positions, width, color) {
    path(positions, false);
    context.lineWidth = Math.max(1, width * scale);
    context.strokeStyle = color;
    context.stroke();
  }

  // Streets have an edge; all edges are below all streets.
  function streets(lines, width, color, edge) {
    for (const positions of lines) line(positions, width + 2 / scale, edge);
    for (const positions of lines) line(positions, width, color);
  }

  function name(text, from, to, size) {
    const [[x0, y0], [x1, y1]] = [place(from), place(to)];
    context.save();
    context.translate((x0 + x1) / 2, (y0 + y1) / 2);
    const angle = Math.atan2(y1 - y0, x1 - x0);
    context.rotate(Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle);
    context.font = `${size}px sans-serif`;
    [context.textAlign, context.textBaseline] = ["center", "middle"];
    [context.lineWidth, context.strokeStyle, context.fillStyle] = [3, "#ffffff", "#544d42"];
    context.strokeText(text, 0, 0);
    context.fillText(text, 0, 0);
    context.restore();
  }

  context.lineJoin = context.lineCap = "round";
  context.fillStyle = "#efebe2";
  context.fillRect(0, 0, 256, 256);
  const [alongs, acrosses] = [[], []];
  for (let step = -16; step <= 16; step++) {
    alongs.push(step * 105);
    acrosses.push(step * 85);
  }
  // A block has houses around a court, unless it is a park.
  const isPark = (i, j) => (i >= 2 && i <= 4 && j >= 9 && j <= 12) || (i >= 21 && i <= 23 && j >= 19 && j <= 21) || (i * 7 + j * 5) % 23 === 0;
  for (let i = 0; i + 1 < alongs.length; i++) {
    for (let j = 0; j + 1 < acrosses.length; j++) {
      const block = (edge) => [
        at(alongs[i] + edge, acrosses[j] + edge), at(alongs[i + 1] - edge, acrosses[j] + edge),
        at(alongs[i + 1] - edge, acrosses[j + 1] - edge), at(alongs[i] + edge, acrosses[j + 1] - edge),
      ];
      if (isPark(i, j)) {
        area(block(0), "#cfe5b9");
      } else if (z >= 15) {
        area(block(9), "#dcd3c6");
        area(block(24), "#efebe2");
      }
    }
  }
  const across = alongs.map((along) => [at(along, acrosses[0]), at(along, acrosses.at(-1))]);
  const along = acrosses.map((distance) => [at(alongs[0], distance), at(alongs.at(-1), distance)]);
  if (z >= 14) streets([...across, ...along], 8, "#ffffff", "#cfc6b6");
  const river = [at(-1700, 900), at(-900, 760), at(-300, 880), at(300, 780), at(900, 900), at(1700, 820)];
  line(river, 110, "#a9cbe4");
  streets([...across, ...along].filter((_, number) => number % 5 === 1), 14, "#fff6d6", "#d8c48c");
  streets([avenues], 20, "#ffe08a", "#c9a640");
  if (z >= 15) {
    avenues.slice(1).forEach((position, number) => {
      const before = avenues[number];
      for (const [part, next] of [[0.1, 0.4], [0.6, 0.9]]) {
        const between = (share) => before.map((value, axis) => value + (position[axis] - value) * share);
        name(["North Avenue", "Garden Avenue", "Bridge Avenue", "Market Avenue", "Station Avenue"][number % 5], between(part), between(next), 12);
      }
    });
    for (let number = 1; number < 33; number += 5) {
      for (let part = 0; part < 4; part++) name(`${number}. Street`, at(alongs[number], -1200 + part * 640), at(alongs[number], -1000 + part * 640), 10);
    }
  }
  return canvas.toDataURL(kind, 0.9);
}
