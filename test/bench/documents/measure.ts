/** `npm run bench -- --documents`: what it costs to make, to poll and to not send the document of an SDK. */
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { FormatName } from "../../../lib/documents/sdk-document.ts";
import { fetchNode24 } from "../../support/node-24.mjs";
import { times } from "../../support/patching.ts";
import { type BenchEngine, startBenchEngine } from "../engine/start.ts";
import type { goals } from "../goals.ts";
import { strategy } from "../load/target.ts";
import { formatTable, type Line, report } from "../report.ts";
import { event, key, stateWith } from "../requests.ts";
import type { Answer } from "../sandbox/process.ts";
import { type Sandbox, startSandbox } from "../sandbox/start.ts";
import { summarise } from "../statistics.ts";

interface Case {
  size: number;
  /** Each feature has two, one of them with variants of its own. */
  strategies: boolean;
}

const cases: Case[] = [
  ...[100, 500, 2000].map((size) => ({ size, strategies: false })),
  { size: 2000, strategies: true },
];
const names: Readonly<Record<FormatName, string>> = { flagd: "flagd.json", unleash: "client/features" };
const environment = "environment-0";
const projectOf = ({ size, strategies }: Case) => `with-${size}${strategies ? "-and-strategies" : ""}`;
/** The first half of them warms up. */
const calls = 60;

interface Figures {
  document: string;
  json: number;
  gzip: number;
  /** The calls when it is made again. */
  calls: string;
  reads: number;
  /** The calls of a poll within the seconds for which it is kept. */
  kept: string;
  notModified: string;
}

export async function documents(wanted: string): Promise<string[]> {
  const node = wanted === "current" ? process.execPath : path.join(fetchNode24().bin, "node");
  const engine = await startBenchEngine();
  const open = (seconds: string) =>
    startSandbox("read", { node, environment: { ...engine.overTls, DOCUMENT_CACHE_SECONDS: seconds } });
  const lines: Line[] = [];
  const figures: Figures[] = [];
  for (const one of cases) {
    await store(engine, one);
    for (const name of Object.values(names)) {
      const what = `${name}, ${one.size} features${one.strategies ? " with strategies" : ""}`;
      const goal = one.size === 500 ? "rebuilt" : undefined;
      const poll = pollOf(one, name);
      const rebuilding = open("0");
      const keeping = open("3600");
      const { etag, json, gzip } = await readOnce(rebuilding, poll());
      const sizesOf = { json: json.length, gzip };
      const rebuilt = await callsOf(engine, rebuilding, poll());
      await readOnce(keeping, poll());
      const { calls: kept } = await callsOf(engine, keeping, poll());
      const { calls: notModified } = await callsOf(engine, keeping, poll(etag));
      figures.push({ document: what, ...sizesOf, ...rebuilt, kept, notModified });
      lines.push(await measure(`${what}: made again`, rebuilding, poll(), 200, goal));
      lines.push(await measure(`${what}: kept`, keeping, poll(), 200));
      lines.push(await measure(`${what}: 304`, keeping, poll(etag), 304, "notModified"));
      await Promise.all([rebuilding.stop(), keeping.stop()]);
    }
  }
  const head = ["document", "KB", "KB gzip", "calls when made again", "read units", "kept", "304"];
  const rows = figures.map(({ document, json, gzip, calls, reads, kept, notModified }) => [
    ...[
      document,
      (json / 1000).toFixed(0),
      (gzip / 1000).toFixed(0),
      calls,
      String(reads),
      kept,
      notModified,
    ],
  ]);
  console.log(`\n${formatTable([head, ...rows])}`);
  return report("documents", lines, ["burgee", ""], { figures });
}

/** Features of three variants with payloads, as most have, in a project of their own. */
function store(engine: BenchEngine, one: Case): Promise<void> {
  const project = projectOf(one);
  const names = times(one.size, (index) => `feature-${index}`);
  const { features, apiKeys, projects } = stateWith({ names });
  const constraint = { contextName: "country", operator: "IN" as const, values: ["de", "fr"] };
  const strategies = one.strategies
    ? [
        { ...strategy, id: "gradual", sortOrder: 0 },
        { ...strategy, id: "beta", sortOrder: 1, constraints: [constraint], variants: [] },
      ]
    : [];
  const environments = projects[0]?.environments ?? [];
  const withPayload = features.map(({ environments = {}, ...feature }) => {
    const lists = Object.entries(environments).map(([name, { variants = [] }]) => {
      const values = variants.map((each) => ({
        ...each,
        payload: { type: "string", value: `of ${each.name}` },
      }));
      return [name, { variants: values, strategies, targeting: null }];
    });
    return {
      ...feature,
      name: `${feature.name}-of-${project}`,
      project,
      environments: Object.fromEntries(lists),
    };
  });
  return engine.store({
    projects: [{ id: project, environments }],
    features: withPayload,
    apiKeys,
  });
}

function pollOf(one: Case, name: string) {
  const made = event("GET", `/api/projects/${projectOf(one)}/environments/${environment}/${name}`);
  return (etag = "") => ({
    ...made,
    headers: { ...made.headers, authorization: key, "accept-encoding": "gzip", "if-none-match": etag },
  });
}

async function readOnce(sandbox: Sandbox, poll: object) {
  const { status, body, headers } = await sandbox.call(poll);
  if (status !== 200) throw new Error(`a poll returned ${status}: ${body}`);
  const gzip = Buffer.from(body, "base64");
  return { etag: headers.etag ?? "", json: gunzipSync(gzip).toString(), gzip: gzip.length };
}

/** The key is known. */
async function callsOf(engine: BenchEngine, sandbox: Sandbox, poll: object) {
  engine.wire.reset();
  await sandbox.call(poll);
  const made = engine.wire.calls;
  const operations = made.map(({ operation }) => operation).sort();
  return { calls: operations.join(", ") || "none", reads: made.reduce((sum, { units }) => sum + units, 0) };
}

async function measure(
  what: string,
  sandbox: Sandbox,
  poll: object,
  status: number,
  goal?: keyof typeof goals,
): Promise<Line> {
  const answers: Answer[] = [];
  for (let index = 0; index < calls; index++) answers.push(await sandbox.call(poll));
  if (answers.some((answer) => answer.status !== status)) throw new Error(`${what}: not always ${status}`);
  const warm = answers.slice(calls / 2).map(({ call }) => call);
  return { what, unit: "ms CPU", burgee: summarise(warm), goal };
}
