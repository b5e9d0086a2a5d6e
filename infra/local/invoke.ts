/** `npm run invoke -- FUNCTION EVENT`: calls a function. Prints its result, and its log on standard error. */
import type { APIGatewayProxyResultV2 } from "aws-lambda";
import { Command, Option } from "commander";
import { explain } from "../admin/explain.ts";
import { readJsonFile } from "../json-file.ts";
import { printableLines } from "../printable.ts";
import { UsageError } from "../refusal.ts";
import { addPlace, exitOnOutputErrors, exitOnUsageError, type PlaceOptions, usageError } from "./options.ts";
import { readRoutes } from "./routes.ts";
import { sampleEvent, samples } from "./samples.ts";
import { openService, readFirstState } from "./service.ts";

interface Options extends PlaceOptions {
  sample?: string;
}

const notes = `
Without --data or --endpoint it starts from the state and keeps nothing. The event is one of API Gateway
(payload format 2.0), and the result is printed as the function returns it.

Exit codes: 0 a result, 1 a 5xx or a failure, 2 wrong usage.

Examples:
  npm run --silent invoke -- --sample patch-variants > event.json
  npm run --silent invoke -- variants event.json
  npm run --silent invoke -- --sample get-tags | npm run --silent invoke -- tags - --data .burgee`;

const program = exitOnUsageError(
  addPlace(new Command("npm run invoke --"))
    .description("Calls one of the built functions with an event, as Lambda would.")
    .argument("[function]", "tags or variants")
    .argument("[event]", 'the file of the event; "-" for standard input')
    .addOption(
      new Option("--sample <name>", "print an event for the demo's state instead").choices(
        Object.keys(samples),
      ),
    )
    .addHelpText("after", notes),
).parse();

exitOnOutputErrors();

/** The functions log on standard output, which here is reserved for the result. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const options = program.opts<Options>();
const [name, file] = program.args;
try {
  const sample = samples[options.sample ?? ""];
  print(sample ? sampleEvent(sample) : await invoke());
} catch (error) {
  const line = explain(error, options);
  if (line === undefined) throw error;
  console.error(printableLines(`burgee: ${line}`));
  process.exitCode = error instanceof UsageError ? usageError : 1;
}

async function invoke(): Promise<APIGatewayProxyResultV2> {
  const declared = readRoutes().find((route) => route.function.name === name)?.function;
  if (!declared) {
    const given = name === undefined ? "" : `, not "${name}"`;
    throw new UsageError(`the function must be "tags" or "variants"${given}`);
  }
  if (file === undefined)
    throw new UsageError('the event is missing: give a file, or "-" for standard input');
  const event = await readJsonFile(file);
  const service = await openService({ ...options, ...(await readFirstState(options.state)) });
  try {
    const result = await service.invoke(declared, event);
    const status = typeof result === "object" ? result.statusCode : undefined;
    if (status !== undefined && status >= 500) process.exitCode = 1;
    return result;
  } finally {
    service.engine.stop();
  }
}

function print(value: unknown): void {
  write(`${printableLines(JSON.stringify(value, null, 2))}\n`);
}
