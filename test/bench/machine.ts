/** Writes the figures to a file, with the machine they were measured on. */
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

export async function writeReport(name: string, figures: object): Promise<void> {
  const file = `dist/bench/${name}.json`;
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: loadavg()[0],
  };
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, ...figures }, null, 2)}\n`);
  console.log(`\nwritten to ${file}`);
}
