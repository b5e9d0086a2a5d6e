/** `npm run explore`: explores every scenario within its bounds, or replays one schedule. */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import * as tags from "../../functions/tags.ts";
import * as variants from "../../functions/variants.ts";
import type { Handler } from "../../lib/http/handler.ts";
import { explore, secondsSince, violationIn } from "./explore.ts";
import { type Bounded, begin, type Open } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { choicesOf, labelOf } from "./world/choices.ts";
import { takeOver } from "./world/time.ts";
import { step } from "./world/world.ts";

const { values } = parseArgs({
  options: {
    scenario: { type: "string" },
    schedule: { type: "string" },
    /** Bounds, in place of one fault and as many preemptions as there can be. */
    faults: { type: "string", default: "1" },
    preemptions: { type: "string", default: "Infinity" },
    /** Of a scenario, operators included. */
    callers: { type: "string", default: "Infinity" },
    environments: { type: "string", default: "Infinity" },
    /** Of the processor, for each scenario. */
    seconds: { type: "string" },
    /** The shortest schedules first. */
    shortest: { type: "boolean" },
    /** Without the reductions: it must come to the same ends. */
    whole: { type: "boolean" },
  },
});

const print = process.stdout.write.bind(process.stdout);
// The handlers write a line of log for each request.
process.stdout.write = () => true;
takeOver();

const functions = { tags, variants } as unknown as Record<"tags" | "variants", { open(): Handler }>;
/** build.mjs puts it in the place of the one handler. */
const open: Open = (name) => functions[name].open();

const isWhole = values.whole ?? false;
const bounds = { faults: Number(values.faults), preemptions: Number(values.preemptions) };
const chosen = scenarios
  .filter(({ name }) => values.scenario === undefined || name === values.scenario)
  .filter(({ scripts }) => Object.keys(scripts).length <= Number(values.callers))
  .filter(({ state }) => (state.projects[0]?.environments.length ?? 0) <= Number(values.environments))
  .map((scenario) => ({ ...scenario, bounds }));
for (const scenario of chosen) {
  if (values.schedule === undefined) await report(scenario);
  else await show(scenario, toLabels(values.schedule));
}

async function report(scenario: Bounded): Promise<void> {
  const startedAt = process.cpuUsage();
  const { steps, states, ends, longest, tickets, isGivenUp, runs, violations, isComplete } = await explore(
    scenario,
    {
      ...{ open, breadthFirst: values.shortest ?? false, isWhole },
      ...(values.seconds !== undefined && { seconds: Number(values.seconds) }),
    },
  );
  const seconds = secondsSince(startedAt).toFixed(1);
  const digest = createHash("md5")
    .update([...ends].sort().join())
    .digest("hex")
    .slice(0, 8);
  const figures = `${states} states, ${steps} steps, ${ends.size} ends (${digest}), longest ${longest}, ${tickets} tickets${isGivenUp ? ", given up" : ""}, code run ${runs} times`;
  print(`${scenario.name}: ${figures}, ${seconds} s${isComplete ? "" : ", NOT COMPLETE"}\n`);
  for (const { schedule } of violations) {
    process.exitCode = 1;
    await show(scenario, schedule);
  }
}

async function show(scenario: Bounded, schedule: readonly string[]): Promise<void> {
  print(`  ${scenario.name}: ${toText(schedule)}\n`);
  const beginning = await begin(scenario, open, isWhole);
  let { world } = beginning;
  const lines: string[] = [];
  const log = (line: string) => {
    // A caller that polls makes the same two calls many times.
    if (lines.at(-2) !== line || lines.at(-4) !== line) print(`  ${line}\n`);
    lines.push(line);
  };
  const possible = { faults: scenario.faults, changesKeys: scenario.changesKeys ?? false, isWhole };
  for (const label of schedule) {
    const choice = choicesOf(world, possible).find((one) => labelOf(one, world) === label);
    if (!choice) throw new Error(`"${label}" cannot happen here`);
    world = await step(world, choice, { ...beginning.rules, log });
  }
  print(`  => ${violationIn(world, scenario) ?? "no violation"}\n`);
}

/** A label that comes many times in a row is written once, as "a*12". */
function toText(schedule: readonly string[]): string {
  return schedule
    .join(" ")
    .replaceAll(/(\S+)(?: \1(?= |$)){3,}/g, (run, label) => `${label}*${run.split(" ").length}`);
}

function toLabels(text: string): string[] {
  return text.split(" ").flatMap((part) => {
    const [label = "", count = "1"] = part.split("*");
    return new Array<string>(Number(count)).fill(label);
  });
}
