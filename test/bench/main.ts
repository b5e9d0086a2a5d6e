/** `npm run bench`. */
import { compare } from "./compare.ts";
import { load } from "./load/load.ts";
import { readOptions } from "./options.ts";
import { scale } from "./scale/scale.ts";

const options = readOptions(process.argv.slice(2));
const wanted = [...(options.scale ? [scale] : []), ...(options.load ? [load] : [])];
for (const run of wanted.length > 0 ? wanted : [compare]) process.exitCode ||= await run(options);
