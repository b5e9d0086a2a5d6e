/** `npm run explore`: explores every schedule of the scenarios, several scenarios at once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Exploration, explore, violationIn } from "./explore.ts";
import { begin, type Scenario } from "./scenarios/scenario.ts";
import { scenarios } from "./scenarios/scenarios.ts";
import { catchCalls } from "./world/process.ts";
import { takeOver } from "./world/time.ts";
import { step } from "./world/world.ts";

const values = optionsGiven({
  scenario: { type: "string" },
  /** The most faults in one schedule; each scenario's `mostFaults` by default. */
  faults: { type: "string" },
  /** The most preemptions in one schedule; each scenario's `mostPreemptions` by default, unbounded in most. */
  preemptions: { type: "string" },
  /** Allows one fault less than each scenario's `mostFaults`, and leaves out those that take long. */
  quick: { type: "boolean", default: false },
  /** Leaves out the scenarios in which no write drops a change. */
  dropping: { type: "boolean", default: false },
  /** Explores the shortest schedules first. */
  shortest: { type: "boolean", default: false },
  /** Explores each scenario again without the reductions, which must reach the same ends. */
  whole: { type: "boolean", default: false },
  /** Asks the process that started this one for a scenario, again and again. */
  asks: { type: "boolean", default: false },
});
const faultBound = numberOf("faults");
const preemptionBound = numberOf("preemptions");
if (values.whole && values.preemptions !== undefined)
  refuse("--whole compares complete explorations: leave out --preemptions");

const print = process.stdout.write.bind(process.stdout);

const isOne = values.scenario !== undefined || values.asks;
process.exitCode = (await (isOne ? theyPass() : allPass())) ? 0 : 1;

function optionsGiven<const Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}: test/explore/README.md has the options`);
  }
}

function numberOf(option: "faults" | "preemptions"): number | undefined {
  const text = values[option];
  if (text !== undefined && !/^\d+$/.test(text)) refuse(`--${option} "${text}" is not a whole number`);
  return text === undefined ? undefined : Number(text);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Explores with as many processes as there are processors. Each explores one scenario after another. */
async function allPass(): Promise<boolean> {
  const isLeftOut = ({ isLong, dropsNone, mostPreemptions }: Scenario) =>
    (values.quick && isLong) ||
    (values.dropping && dropsNone) ||
    (values.whole && mostPreemptions !== undefined);
  const explored = scenarios.filter((one) => mostFaultsOf(one) >= 0 && !isLeftOut(one));
  const longFirst = explored.toSorted((one, other) => Number(!one.isLong) - Number(!other.isLong));
  const names = longFirst.map(({ name }) => name);
  let allPassed = true;
  const work = async () => {
    while (names.length > 0) if (!(await takenPass(names))) allPassed = false;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return allPassed;
}

/** Starts a process that takes the first of the names each time it asks, until none is left or one fails. */
async function takenPass(names: string[]): Promise<boolean> {
  const program = [process.argv[1] ?? "", ...process.argv.slice(2), "--asks"];
  const child = spawn(process.execPath, program, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  let name: string | undefined;
  child.on("message", () => {
    name = names.shift();
    child.send(name ?? "none");
  });
  const [code, signal] = await once(child, "exit");
  if (code !== 0) print(`${name}: FAILED with ${signal ?? `exit code ${code}`}\n`);
  return code === 0;
}

/** Explores one scenario, or those that the parent process names until it names no more or one fails. */
async function theyPass(): Promise<boolean> {
  // The handlers write a line of log for each request.
  process.stdout.write = () => true;
  takeOver();
  catchCalls();
  if (values.scenario !== undefined) return passes(values.scenario);
  let name = await nextName();
  while (name !== "none" && (await passes(name))) name = await nextName();
  process.disconnect();
  return name === "none";
}

async function nextName(): Promise<string> {
  const answered = once(process, "message");
  process.send?.("next");
  const [name] = await answered;
  return name;
}

async function passes(wanted: string): Promise<boolean> {
  const scenario = scenarios.find(({ name }) => name === wanted);
  if (!scenario) refuse(`There is no scenario "${wanted}"`);
  if (mostFaultsOf(scenario) < 0) refuse(`--quick leaves out "${wanted}", which has no faults`);
  const { violation, ends } = await run(scenario);
  if (violation || !values.whole) return !violation;
  const whole = await run(scenario, true);
  if (!whole.violation && whole.ends !== ends) print("  the ends differ\n");
  return !whole.violation && whole.ends === ends;
}

function mostFaultsOf(scenario: Scenario): number {
  return faultBound ?? scenario.mostFaults - (values.quick ? 1 : 0);
}

/** Explores a scenario, and prints the figures and the schedule of a violation. */
async function run(scenario: Scenario, isWhole = false): Promise<Exploration> {
  const startedAt = process.cpuUsage();
  const mostFaults = mostFaultsOf(scenario);
  const mostPreemptions = preemptionBound ?? scenario.mostPreemptions ?? Number.POSITIVE_INFINITY;
  const options = { mostFaults, mostPreemptions, breadthFirst: values.shortest, isWhole };
  const result = await explore(scenario, options);
  const { steps, states, ends, violation } = result;
  const figures = `faults: ${mostFaults}, ${states} states, ${steps} steps, ends: ${ends}`;
  const { user, system } = process.cpuUsage(startedAt);
  const seconds = ((user + system) / 1e6).toFixed(1);
  print(`${isWhole ? "  without reductions" : scenario.name}: ${figures}, ${seconds} s\n`);
  if (!violation) return result;
  let { world, rules } = await begin(scenario, options);
  const log = (line: string) => print(`  ${line}\n`);
  for (const choice of violation) world = await step(world, choice, { ...rules, log });
  print(`  => ${violationIn(world, scenario) ?? "no violation"}\n`);
  return result;
}
