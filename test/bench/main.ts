/** `npm run bench`: runs the measurements that the options choose, and reports the goals that they missed. */
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";
import { documents } from "./documents/measure.ts";
import { hot } from "./load/hot.ts";
import { unleash } from "./unleash/unleash.ts";

const { values } = parseArgs({
  options: {
    /** Callers that patch one feature, alternating with as many on features of their own. */
    hot: { type: "boolean" },
    /** The local server alternating with Unleash on PostgreSQL. */
    unleash: { type: "boolean" },
    /** Of `--unleash`, with Burgee's data in a folder instead of in memory. */
    data: { type: "boolean", default: false },
    /** The documents of SDKs. */
    documents: { type: "boolean" },
    /** Of `--unleash`, only the patches of strategies, beside Unleash 8.2.0, and how many changes are stored. */
    strategies: { type: "boolean", default: false },
    /** Of `--unleash`, only how many overlapping changes are stored. */
    overlap: { type: "boolean", default: false },
    /** Cold starts of each set-up. */
    rounds: { type: "string", default: "25" },
    /** The Node to measure with: "24", fetched if this is another, or "current". */
    node: { type: "string", default: "24" },
  },
});
const run = () => {
  if (values.hot) return hot();
  if (values.documents) return documents(values.node);
  if (values.unleash || values.overlap) {
    return unleash({
      overlapOnly: values.overlap,
      strategiesOnly: values.strategies,
      hasFolder: values.data,
    });
  }
  return compare(Number(values.rounds), values.node);
};
// Leaving through `exit` also ends what was started.
process.once("SIGINT", () => process.exit(130));
const missed = await run();
for (const goal of missed) console.error(`MISSED: ${goal}`);
process.exit(missed.length === 0 ? 0 : 1);
