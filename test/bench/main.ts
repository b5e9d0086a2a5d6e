/** `npm run bench`: runs the measurement that the options choose. */
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
for (const run of wanted.length > 0 ? wanted : [compare]) process.exitCode ||= await run(options);
