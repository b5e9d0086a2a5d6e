/** The options of `npm run fuzz`: `--runs N --seed S`, and `--path P` to reproduce a found case. */
import { parseArgs } from "node:util";

export interface Options {
  /** The least number of requests. */
  runs: number;
  seed: number;
  /** The path of a found case, as it was printed. */
  path: string | undefined;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string", default: "3000" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      path: { type: "string" },
    },
  });
  return { runs: whole("runs", values.runs), seed: whole("seed", values.seed), path: values.path };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
  return Number(text);
}
