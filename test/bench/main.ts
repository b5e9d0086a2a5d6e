/** `npm run bench`: runs the measurements that the options choose, and reports the goals that they missed. */
import { compare } from "./compare.ts";
import { hot } from "./hot/hot.ts";
import { load } from "./load/load.ts";
import { readOptions } from "./options.ts";
import { scale } from "./scale/scale.ts";
import { unleash } from "./unleash/unleash.ts";

const options = readOptions(process.argv.slice(2));
const wanted = Object.entries({ scale, load, hot, unleash }).flatMap(([name, run]) =>
  options[name as "scale" | "load" | "hot" | "unleash"] ? [run] : [],
);
for (const run of wanted.length > 0 ? wanted : [compare]) {
  for (const missed of await run(options)) {
    console.error(`MISSED: ${missed}`);
    process.exitCode = 1;
  }
}
