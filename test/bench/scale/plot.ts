/** Draws the curves as an SVG for light and dark pages. */
import { measureOf } from "./growth.ts";
import type { Curve } from "./measure.ts";

const columns = 3;
const panel = { width: 216, height: 130 };
const margin = { left: 52, top: 58, right: 52, bottom: 62 };
const cell = {
  width: margin.left + panel.width + margin.right,
  height: margin.top + panel.height + margin.bottom,
};
const grey = "#5c6670";

const sides = [
  { metric: "cpu", legend: "ms of processor (left)", color: "#0b6e99", x: -8, anchor: "end", dash: "none" },
  {
    metric: "units",
    legend: "request units (right)",
    color: "#b4540a",
    x: panel.width + 8,
    anchor: "start",
    dash: "5 4",
  },
] as const;

export function plot(curves: readonly Curve[]): string {
  const size = {
    width: cell.width * columns,
    height: cell.height * Math.ceil((curves.length + 1) / columns),
  };
  const cells = [...curves.map(drawCurve), drawLegend()].map((drawn, index) => {
    const [x, y] = [(index % columns) * cell.width, Math.floor(index / columns) * cell.height];
    return `<g transform="translate(${x + margin.left} ${y + margin.top})">${drawn}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">`,
    "<title>What a request costs as its subject grows</title>",
    `<rect width="${size.width}" height="${size.height}" rx="8" fill="#fff"/>`,
    ...cells,
    "</svg>\n",
  ].join("\n");
}

function drawCurve(curve: Curve): string {
  const { name, request, limit, points } = curve;
  const counts = points.map(({ count }) => count);
  const { across, ticks } = axisOf(Math.min(...counts), Math.max(...counts));
  const { width, height } = panel;
  return [
    text(0, -34, name, `font-weight="600" font-size="15"`),
    text(0, -16, request, `fill="${grey}"`),
    `<path d="M0 0H${width}M0 ${height / 2}H${width}" stroke="#e2e6ea"/><path d="M0 ${height}H${width}" stroke="${grey}"/>`,
    ...ticks.map((tick) => text(across(tick), height + 18, label(tick), `text-anchor="middle"`)),
    text(0, height + 40, `limit: ${limit}`, `fill="${grey}" font-size="12"`),
    ...sides.map((side) => drawLine(curve, side, across)),
  ].join("");
}

function drawLine(
  { points }: Curve,
  side: (typeof sides)[number],
  across: (count: number) => number,
): string {
  const { metric, color, x, anchor, dash } = side;
  const { height } = panel;
  const highest = roundedUp(Math.max(...points.map((point) => measureOf(point, metric))));
  const dots = points.map((point) => [
    across(point.count),
    height * (1 - measureOf(point, metric) / highest),
  ]);
  const places = dots.map((dot) => dot.map((at) => at.toFixed(1)));
  return [
    ...[0, highest / 2, highest].map((value, step) =>
      text(x, height * (1 - step / 2) + 4, label(value), `fill="${color}" text-anchor="${anchor}"`),
    ),
    `<polyline points="${places.join(" ")}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`),
  ].join("");
}

function drawLegend(): string {
  const lines = sides.map(({ legend, color, dash }, index) => {
    const y = 20 + 26 * index;
    const line = `<path d="M0 ${y}H36" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>`;
    return `${line}${text(46, y + 4, legend, `fill="${color}"`)}`;
  });
  const notes = ["of one request, less the engine's", "both start at zero", "npm run bench -- --scale"];
  return [...lines, ...notes.map((note, index) => text(0, 84 + 20 * index, note, `fill="${grey}"`))].join("");
}

/** Uses a logarithmic axis if the counts are mostly powers of ten. */
function axisOf(least: number, most: number): { across: (count: number) => number; ticks: number[] } {
  if (most / (least || 1) <= 5000)
    return { across: (count) => (panel.width * count) / most, ticks: [0, most / 2, most] };
  const share = (count: number) => Math.log(count / least) / Math.log(most / least);
  return { across: (count) => panel.width * share(count), ticks: [least, Math.sqrt(least * most), most] };
}

/** Rounds up to a round number, with some room. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return ([1, 2, 4, 6, 8, 10, 20].find((step) => step * power >= 1.05 * value) ?? 20) * power;
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${words}</text>`;
}

function label(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}
