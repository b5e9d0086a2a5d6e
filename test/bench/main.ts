/** `npm run bench`: runs the measurements that the options choose, and reports the goals that they missed. */
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";
import { hot } from "./hot.ts";
import { overlap } from "./unleash/overlap.ts";

const { values } = parseArgs({
  options: {
    /** Callers that patch one feature, alternating with as many on features of their own. */
    hot: { type: "boolean" },
    /** How many overlapping patches are stored, beside Unleash on PostgreSQL. */
    overlap: { type: "boolean" },
    /** Cold starts of each set-up. */
    rounds: { type: "string", default: "25" },
    /** The Node to measure with: "24", fetched if this is another, or "current". */
    node: { type: "string", default: "24" },
  },
});
// Leaving through `exit` also ends what was started.
process.once("SIGINT", () => process.exit(130));
if (values.overlap) {
  await overlap();
  process.exit();
}
const missed = await (values.hot ? hot() : compare(Number(values.rounds), values.node));
for (const goal of missed) console.error(`MISSED: ${goal}`);
process.exit(missed.length === 0 ? 0 : 1);
