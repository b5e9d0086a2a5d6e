/**
 * Runs the public suite nubo-db/dynamodb-conformance against the embedded engine's address: fetched, or a clone with its
 * packages in the given folder. Each case is right, refused by the engine, or wrong.
 */
import path from "node:path";
import { fetchCommit } from "../../infra/build/fetch.mjs";
import { startEngine } from "../../infra/local/engine.ts";
import { classify } from "./classify.ts";
import { runSuite } from "./suite.ts";
import { watch } from "./watch.ts";

const name = "dynamodb-conformance";
const url = "https://github.com/nubo-db/dynamodb-conformance";
const commit = "0ba4393668860db921afa5728feffe68b55e3e93";

function fetchSuite(): string {
  try {
    return fetchCommit(name, url, commit);
  } catch {
    const advice = `clone ${url} at ${commit.slice(0, 8)}, run npm ci there, then: npm run conformance -- DIR`;
    console.error(`burgee: the suite could not be fetched; ${advice}`);
    process.exit(1);
  }
}

const folder = path.resolve(process.argv[2] ?? fetchSuite());
const engine = await startEngine();
const { endpoint, refusals } = await watch(engine.endpoint);
const { counts, wrong } = classify(await runSuite(folder, endpoint), refusals);
console.table(counts);
for (const one of wrong) console.log(`WRONG: ${one}`);
// Without a right case the suite did not run.
process.exit(wrong.length === 0 && counts.total.right > 0 ? 0 : 1);
