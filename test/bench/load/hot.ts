/** `npm run bench -- --hot`: callers that patch one feature, alternating with as many callers on features of their own. */
import { startBenchEngine } from "../engine/start.ts";
import { compared, type Line, report } from "../report.ts";
import { patch, replaceStickiness, stateWith, variantsOf } from "../requests.ts";
import { startSandbox } from "../sandbox/start.ts";
import { summarise } from "../statistics.ts";
import { startBurgee } from "./burgee.ts";
import { fireInTurn, type Goals, loadLines } from "./compare.ts";
import { type Fired, fire, fireAt } from "./fire.ts";
import { features } from "./target.ts";

const rounds = 5;
const seconds = 8;
const clients = 10;

type Load = "one feature" | "own features";

export async function hot(): Promise<string[]> {
  const lines = [
    ...(await throughSandboxes(8, 2, { perSecond: "hotRate", p99: "hotP99" }, "hotCalls")),
    ...(await throughSandboxes(8, 1, { p99: "hotP99" })),
    ...(await throughSandboxes(8, 10, { p99: "hotP99" })),
    // Writes to one environment are sequential: these ratios grow with the number of callers, so they have no goals.
    ...(await throughSandboxes(25, 2)),
    ...(await throughServer()),
  ];
  return report("hot", lines, ["one feature", "own features"]);
}

async function throughSandboxes(
  count: number,
  environments: number,
  goals: Goals = {},
  callsGoal?: "hotCalls",
): Promise<Line[]> {
  const what = `${count} sandboxes, environments: ${environments}`;
  console.log(what);
  const { plain, wire, store } = await startBenchEngine();
  await store(stateWith({ names: features, environments }));
  const sandboxes = Array.from({ length: count }, () => startSandbox("variants", { environment: plain }));
  const run = (load: Load) => async () => {
    wire.reset();
    // Like DynamoDB's latency.
    wire.decide(() => ({ beforeMs: 2 + Math.random() * 6 }));
    const send = async (caller: number, number: number) => {
      const event = patch(featureOf(load, caller), replaceStickiness(`by-${number}`));
      return (await sandboxes[caller]?.call(event))?.status ?? 0;
    };
    const fired = await fire(send, count, seconds);
    return { ...fired, calls: wire.calls.length / (fired.perSecond * seconds) };
  };
  const fired = await fireInTurn(rounds, run("one feature"), run("own features"));
  for (const sandbox of sandboxes) await sandbox.stop();
  return [...hotLines(what, fired, goals), callsLine(what, fired, callsGoal)];
}

function callsLine(
  what: string,
  [one, own]: [{ calls: number }[], { calls: number }[]],
  goal?: "hotCalls",
): Line {
  const callsOf = (runs: readonly { calls: number }[]) => summarise(runs.map(({ calls }) => calls));
  const words = `${what}: calls to the database`;
  return { what: words, unit: "a success", burgee: callsOf(one), other: callsOf(own), goal };
}

async function throughServer(): Promise<Line[]> {
  const what = `${clients} clients, local server`;
  console.log(what);
  const target = await startBurgee();
  const run = (load: Load) => () =>
    fireAt(
      target,
      (caller, number) => ({
        method: "PATCH",
        path: variantsOf(featureOf(load, caller)),
        body: replaceStickiness(`by-${number}`),
      }),
      clients,
      seconds,
    );
  const fired = await fireInTurn(rounds, run("one feature"), run("own features"));
  return hotLines(what, fired, { perSecond: "hotServerRate", p99: "hotServerP99" });
}

const featureOf = (load: Load, caller: number) => features[load === "one feature" ? 0 : caller] ?? "";

function hotLines(what: string, fired: [Fired[], Fired[]], goals: Goals): Line[] {
  const p50s = fired[0].map(({ p50 }) => p50);
  const p99s = fired[0].map(({ p99 }) => p99);
  return [
    ...loadLines(what, fired, { ...goals, refused: "none" }),
    compared({ what: `${what}: p99 and p50 on one feature`, unit: "ms", goal: "hotTail" }, p99s, p50s),
  ];
}
