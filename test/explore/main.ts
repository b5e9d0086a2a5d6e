/** `npm run explore`: explores every schedule of the scenarios, several scenarios at once. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import type { Handler } from "../../lib/http/handler.ts";
import { explore, type Options, secondsSince, violationIn } from "./explore.ts";
import { begin, type Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import type { Open } from "./world/hands.ts";
import { catchCalls } from "./world/process.ts";
import { takeOver } from "./world/time.ts";
import { step } from "./world/world.ts";

const { values } = parseArgs({
  options: {
    scenario: { type: "string" },
    /** In one schedule, in place of the scenario's bounds. */
    faults: { type: "string" },
    preemptions: { type: "string", default: "Infinity" },
    /** With one fault less than each scenario has. */
    quick: { type: "boolean", default: false },
    /** Of the processor, for each scenario. */
    seconds: { type: "string", default: "Infinity" },
    /** The shortest schedules first. */
    shortest: { type: "boolean", default: false },
    /** Once more without the reductions: it must come to the same ends. */
    whole: { type: "boolean", default: false },
  },
});

type Bounds = Pick<Options, "mostFaults" | "mostPreemptions">;

const print = process.stdout.write.bind(process.stdout);
const functions = { tags, variants } as unknown as Record<"tags" | "variants", { open(): Handler }>;
/** build.mjs puts it in the place of the one handler. */
const open: Open = (name) => functions[name].open();

if (process.send || values.scenario !== undefined) {
  // The handlers write a line of log for each request.
  process.stdout.write = () => true;
  takeOver();
  catchCalls();
}
if (process.send) process.on("message", async (name) => process.send?.(await exploreOne(String(name))));
else if (values.scenario !== undefined) await exploreOne(values.scenario);
else await exploreAll();

/** Each of a few processes takes the next scenario when it is done with one. */
async function exploreAll(): Promise<void> {
  const names = scenarios.filter((one) => boundsOf(one).length > 0).map(({ name }) => name);
  const work = async () => {
    const worker = fork(process.argv[1] ?? "", process.argv.slice(2));
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      worker.send(name);
      const [isRight] = await once(worker, "message");
      if (!isRight) process.exitCode = 1;
    }
    worker.disconnect();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Returns false at a violation. */
async function exploreOne(wanted: string): Promise<boolean> {
  const scenario = scenarios.find(({ name }) => name === wanted);
  if (!scenario) throw new Error(`there is no scenario "${wanted}"`);
  for (const bounds of boundsOf(scenario)) if (!(await report(scenario, bounds))) return false;
  return true;
}

/** Every order with as many faults as the scenario has; where those are fewer than two, also two with one preemption. */
function boundsOf({ mostFaults }: Scenario): Bounds[] {
  if (values.faults !== undefined)
    return [{ mostFaults: Number(values.faults), mostPreemptions: Number(values.preemptions) }];
  const everyOrder = { mostPreemptions: Number.POSITIVE_INFINITY };
  if (values.quick) return mostFaults === 0 ? [] : [{ mostFaults: mostFaults - 1, ...everyOrder }];
  const few = mostFaults < 2 && !values.whole ? [{ mostFaults: 2, mostPreemptions: 1 }] : [];
  return [{ mostFaults, ...everyOrder }, ...few];
}

async function report(scenario: Scenario, bounds: Bounds): Promise<boolean> {
  const startedAt = process.cpuUsage();
  const limits = { open, ...bounds, breadthFirst: values.shortest, seconds: Number(values.seconds) };
  const { steps, states, ends, violation, isComplete } = await explore(scenario, limits);
  const { mostFaults, mostPreemptions } = bounds;
  const preemptions = Number.isFinite(mostPreemptions) ? `, preemptions: ${mostPreemptions}` : "";
  const figures = `faults: ${mostFaults}${preemptions}, ${states} states, ${steps} steps, ends: ${ends}`;
  const seconds = `${secondsSince(startedAt).toFixed(1)} s${isComplete ? "" : ", NOT COMPLETE"}`;
  print(`${scenario.name}: ${figures}, ${seconds}\n`);
  if (!violation) return !values.whole || (await reachesWithoutReductions(scenario, bounds, ends));
  process.exitCode = 1;
  // Takes the steps once more, and prints them.
  const beginning = await begin(scenario, limits);
  const log = (line: string) => print(`  ${line}\n`);
  let { world } = beginning;
  for (const choice of violation) world = await step(world, choice, { ...beginning.rules, log });
  print(`  => ${violationIn(world, scenario) ?? "no violation"}\n`);
  return false;
}

async function reachesWithoutReductions(
  scenario: Scenario,
  bounds: Bounds,
  expected: string,
): Promise<boolean> {
  const { ends } = await explore(scenario, { open, ...bounds, isWhole: true });
  print(`  without reductions: ends: ${ends}\n`);
  if (ends !== expected) process.exitCode = 1;
  return ends === expected;
}
