// Drawings of the buttons: 20 × 20, in the colour of the text.

const shapes = {
  live: ["circle 10 10 2.2 fill", "circle 10 10 5.2", "dots 10 10 8.4"],
  play: ["fill M6 3.500v13l10.500-6.500z"],
  pause: ["fill M5.500 4h3v12h-3zM11.500 4h3v12h-3z"],
  undo: ["M7 4.500L3.500 8 7 11.500M3.500 8h8a4.500 4.500 0 0 1 0 9H8"],
  redo: ["M13 4.500L16.500 8 13 11.500M16.500 8h-8a4.500 4.500 0 0 0 0 9H12"],
  back: ["M12.500 4l-6 6 6 6"],
  next: ["M7.500 4l6 6-6 6"],
  fit: ["M3 6v8M17 6v8M6 10h8M8 7.500L5.500 10 8 12.500M12 7.500l2.500 2.500-2.500 2.500"],
  keys: ["M2.500 6.500a1.500 1.500 0 0 1 1.500-1.500h12a1.500 1.500 0 0 1 1.500 1.500v7a1.500 1.500 0 0 1-1.500 1.500H4a1.500 1.500 0 0 1-1.500-1.500zM7 12.200h6M5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01"],
  jobs: ["M3 5h9M3 10h9M3 15h6M14.500 12.500l1.800 1.800 3-3.300"],
  plus: ["M10 4v12M4 10h12"],
  minus: ["M4 10h12"],
  loop: ["M4 9V8a3 3 0 0 1 3-3h8.500M13 2.500L15.500 5 13 7.500M16 11v1a3 3 0 0 1-3 3H4.500M7 17.500L4.500 15 7 12.500"],
  still: ["M3.500 6.500h3l1.200-2h4.600l1.200 2h3v9.500h-13z", "circle 10 11 2.800"],
  start: ["M12 4H7v12h5"],
  end: ["M8 4h5v12H8"],
  mark: ["M5.500 3h9v14l-4.500-3.500L5.500 17z"],
  sound: ["fill M3 7.500v5h3l4.500 4v-13L6 7.500z", "M13 7q2.400 3 0 6M15.500 4.500q4.500 5.500 0 11"],
  silent: ["fill M3 7.500v5h3l4.500 4v-13L6 7.500z", "M13.500 7.500l5 5m0-5l-5 5"],
  rotate: ["M5 9.500h8v8H5zM8 5.500h5a3.500 3.500 0 0 1 3.500 3.500v1M10 3L7.500 5.500 10 8"],
  rotateRight: ["M7 9.500h8v8H7zM12 5.500H7A3.500 3.500 0 0 0 3.500 9v1M10 3l2.500 2.500L10 8"],
  flip: ["M10 2.500v15", "M7.500 5.500v9H2.500z", "fill M12.500 5.500v9h5z"],
  flipDown: ["M2.500 10h15", "M5.500 7.500h9V2.500z", "fill M5.500 12.500h9v5z"],
  reset: ["M4 10a6 6 0 1 0 2-4.500M4 3.500V7h3.500"],
  close: ["M5 5l10 10M15 5L5 15"],
  phone: ["M6 2.500h8a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM8.500 15h3"],
  save: ["M10 3v9.500M6 8.500l4 4 4-4M3.500 16.500h13"],
  copy: ["M7 7h9.500v9.500H7z", "M13 7V3.500H3.500V13H7"],
  warning: ["M10 3l7.500 13.500h-15zM10 8v4M10 14.200h.01"],
  photo: ["M3 4h14v12H3z", "M3 13l4-4 3.500 3.500L13 10l4 3.500", "circle 13 7.500 1.200"],
  movie: ["M3 5h14v10H3zM6 5v10M14 5v10M3 8.500h3M3 11.700h3M14 8.500h3M14 11.700h3"],
  done: ["M4 10.500l4 4 8-9"],
  sliders: ["M3 6h6M13 6h4M3 14h2M9 14h8", "circle 11 6 2", "circle 7 14 2"],
  details: ["circle 10 10 7.500", "M10 9v5M10 6.200h.01"],
  crop: ["M6 2.500V14h11.500M2.500 6H14v11.500"],
  stop: ["fill M5 5h10v10H5z"],
};

/**
 * An icon, which screen readers skip.
 *
 * @param {keyof typeof shapes} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = part("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", class: "icon" });
  for (const shape of shapes[name]) svg.append(drawn(shape));
  return svg;
}

function drawn(shape) {
  const [kind, x, y, radius, fill] = shape.split(" ");
  if (kind === "circle" || kind === "dots") {
    const circle = part("circle", { cx: x, cy: y, r: radius });
    if (fill) circle.setAttribute("fill", "currentColor");
    if (kind === "dots") circle.setAttribute("stroke-dasharray", "1.3 1.9");
    return circle;
  }
  if (kind === "fill") return part("path", { d: shape.slice(5), fill: "currentColor" });
  return part("path", { d: shape });
}

/** An SVG element with attributes. */
export function part(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
