/** `npm run explore`: explores every schedule of the scenarios, several scenarios at once. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import type { Handler } from "../../lib/http/handler.ts";
import { explore, secondsSince, violationIn } from "./explore.ts";
import { begin, type Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import type { Open } from "./world/hands.ts";
import { catchCalls } from "./world/process.ts";
import { takeOver } from "./world/time.ts";
import { step } from "./world/world.ts";

const { values } = parseArgs({
  options: {
    scenario: { type: "string" },
    /** In one schedule, in place of as many as the scenario has. */
    faults: { type: "string" },
    /** In one schedule, in place of any number. */
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
  const names = scenarios.filter((one) => mostFaultsOf(one) >= 0).map(({ name }) => name);
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
  return report(scenario);
}

function mostFaultsOf(scenario: Scenario): number {
  return Number(values.faults ?? scenario.mostFaults - (values.quick ? 1 : 0));
}

async function report(scenario: Scenario): Promise<boolean> {
  const startedAt = process.cpuUsage();
  const mostFaults = mostFaultsOf(scenario);
  const mostPreemptions = Number(values.preemptions);
  const bounds = { mostFaults, mostPreemptions, seconds: Number(values.seconds) };
  const limits = { open, ...bounds, breadthFirst: values.shortest };
  const { steps, states, ends, violation, isComplete } = await explore(scenario, limits);
  const figures = `faults: ${mostFaults}, ${states} states, ${steps} steps, ends: ${ends}`;
  const seconds = `${secondsSince(startedAt).toFixed(1)} s${isComplete ? "" : ", NOT COMPLETE"}`;
  print(`${scenario.name}: ${figures}, ${seconds}\n`);
  if (!violation) return !values.whole || (await reachesWithoutReductions(scenario, ends));
  process.exitCode = 1;
  // Takes the steps once more, and prints them.
  const beginning = await begin(scenario, limits);
  const log = (line: string) => print(`  ${line}\n`);
  let { world } = beginning;
  for (const choice of violation) world = await step(world, choice, { ...beginning.rules, log });
  print(`  => ${violationIn(world, scenario) ?? "no violation"}\n`);
  return false;
}

async function reachesWithoutReductions(scenario: Scenario, expected: string): Promise<boolean> {
  const { ends } = await explore(scenario, { open, mostFaults: mostFaultsOf(scenario), isWhole: true });
  print(`  without reductions: ends: ${ends}\n`);
  if (ends !== expected) process.exitCode = 1;
  return ends === expected;
}
