/** `npm run bench -- --scale`: measures how costs grow. */
import { writeFileSync } from "node:fs";
import { formatTable } from "../../../infra/admin/terminal/table.ts";
import { startEngine } from "../engine/start.ts";
import { writeReport } from "../machine.ts";
import { apiKey } from "../requests.ts";
import { dimensions } from "./dimensions.ts";
import { exponent, issuesOf, measureOf, metrics } from "./growth.ts";
import { type Curve, measureCurve } from "./measure.ts";
import { plot } from "./plot.ts";

const picture = "test/bench/scale.svg";

export async function scale(): Promise<string[]> {
  const engine = await startEngine();
  try {
    await engine.store(apiKey);
    const curves: Curve[] = [];
    // A first measurement is discarded: code is compiled during it.
    for (const dimension of dimensions.slice(0, 1)) await measureCurve(engine, dimension);
    for (const dimension of dimensions) {
      console.log(`${dimension.name}: up to ${dimension.counts.at(-1)}`);
      const curve = await measureCurve(engine, dimension);
      curves.push(curve);
      console.log(`${format(curve)}\n`);
    }
    writeFileSync(picture, plot(curves));
    await writeReport("scale", { node: process.version, curves });
    console.log(`drawn in ${picture}`);
    return curves.flatMap(issuesOf);
  } finally {
    engine.stop();
  }
}

function format(curve: Curve): string {
  const head = [curve.name, "ms cpu", "ms", "calls", "request units", "MB"];
  const rows = curve.points.map((point) => [
    String(point.count),
    measureOf(point, "cpu").toFixed(2),
    point.wall.spread[0].toFixed(1),
    String(point.calls),
    String(point.units),
    point.memory.toFixed(2),
  ]);
  const powers = metrics.map((metric) => `${metric} ${exponent(curve, metric).toFixed(2)}`);
  return `${formatTable(head, rows)}\ngrows with the power of: ${powers.join(", ")}\nlimit: ${curve.limit}`;
}
