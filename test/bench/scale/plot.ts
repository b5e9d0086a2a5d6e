/** The curves as an SVG, to be looked at on light and dark pages. */
import { type Metric, measureOf } from "./growth.ts";
import type { Curve } from "./measure.ts";

const width = 200;
const height = 120;
const margin = { left: 48, top: 40, right: 20, bottom: 40 };
const cell = { width: width + margin.left + margin.right, height: height + margin.top + margin.bottom };

const rows: { metric: Metric; title: string; color: string }[] = [
  { metric: "cpu", title: "ms of processor", color: "#0b6e99" },
  { metric: "units", title: "request units", color: "#b4540a" },
];

export function plot(curves: readonly Curve[]): string {
  const size = { width: cell.width * curves.length, height: cell.height * rows.length };
  const panels = rows.flatMap(({ metric, title, color }, row) =>
    curves.map((curve, column) => {
      const place = `translate(${column * cell.width + margin.left} ${row * cell.height + margin.top})`;
      return `<g transform="${place}">${panel(curve, metric, title, color)}</g>`;
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="11" fill="#333">`,
    `<title>What a request costs as its subject grows</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
}

function panel(curve: Curve, metric: Metric, title: string, color: string): string {
  const { points, name, request } = curve;
  const widest = Math.max(...points.map(({ count }) => count));
  // Where each is ten times the one before, equal steps to the right are powers of ten.
  const isLog = widest / (points[0]?.count || 1) > 5000;
  const highest = nice(Math.max(...points.map((point) => measureOf(point, metric))));
  const across = (count: number) => width * (isLog ? Math.log(count) / Math.log(widest) : count / widest);
  const dots = points.map((point): [number, number] => [
    across(point.count),
    height * (1 - measureOf(point, metric) / highest),
  ]);
  const line = dots.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return [
    `<text x="0" y="-24" font-weight="bold">${title} by ${name}</text>`,
    `<text x="0" y="-10" fill="#666">${request}</text>`,
    `<path d="M0 0V${height}H${width}" fill="none" stroke="#999"/>`,
    `<text x="-6" y="4" text-anchor="end">${label(highest)}</text>`,
    `<text x="-6" y="${height}" text-anchor="end">0</text>`,
    `<text x="0" y="${height + 16}">${isLog ? label(points[0]?.count ?? 0) : 0}</text>`,
    `<text x="${width}" y="${height + 16}" text-anchor="end">${label(widest)}</text>`,
    `<polyline points="${line}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...dots.map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${color}"/>`),
  ].join("");
}

/** The next round number up. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function label(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}
