/** `npm run invoke -- FUNCTION EVENT`: calls a function. Prints its result, and its log on standard error. */
import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { readJsonFile } from "../json-file.ts";
import { printableLines } from "../printable.ts";
import { projectFile } from "../project-file.ts";
import { UsageError } from "../refusal.ts";
import { toEvent } from "./event.ts";
import { addPlace, exitOnErrors, exitWith, type PlaceOptions, usageError } from "./options.ts";
import { readRoutes } from "./routes.ts";
import { openService, readFirstState } from "./service.ts";

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

const notes = `
Without --data or --endpoint it starts from the state and keeps nothing. The event is one of API Gateway
(payload format 2.0), and the result is printed as the function returns it.

Exit codes: 0 a result, 1 a 5xx or a failure, 2 wrong usage.

Examples:
  npm run --silent invoke -- --sample patchFeatureVariants > event.json
  npm run --silent invoke -- variants event.json
  npm run --silent invoke -- --sample listTags | npm run --silent invoke -- tags - --data .burgee`;

const samples = readSamples();
const program = exitOnErrors(
  addPlace(new Command("npm run invoke --"))
    .description("Calls one of the built functions with an event, as Lambda would.")
    .argument("[function]", "tags or variants")
    .argument("[event]", 'the file of the event; "-" for standard input')
    .addOption(
      new Option("--sample <operation>", "print an event for the demo's state instead").choices([
        ...samples.keys(),
      ]),
    )
    .addHelpText("after", notes),
).parse();

/** The functions log on standard output, which here is reserved for the result. */
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const options = program.opts<PlaceOptions & { sample?: string }>();
const [name, file] = program.args;
try {
  const result = samples.get(options.sample ?? "") ?? (await invoke());
  write(`${printableLines(JSON.stringify(result, null, 2))}\n`);
} catch (error) {
  exitWith(error, options, error instanceof UsageError ? usageError : 1);
}

async function invoke(): Promise<unknown> {
  const declared = readRoutes().find((route) => route.function.name === name)?.function;
  if (!declared) {
    const given = name === undefined ? "" : `, not "${name}"`;
    throw new UsageError(`the function must be "tags" or "variants"${given}`);
  }
  if (file === undefined)
    throw new UsageError('the event is missing: give a file, or "-" for standard input');
  const event = await readJsonFile(file);
  const service = await openService(await readFirstState(options.state), options);
  try {
    const result = await service.invoke(declared, event);
    if (Number(result.statusCode) >= 500) process.exitCode = 1;
    return result;
  } finally {
    await service.engine.stop();
  }
}

/** An event for each operation, with the examples of the OpenAPI document, which are of the demo's state. */
function readSamples(): Map<string, unknown> {
  const document = JSON.parse(readFileSync(projectFile("infra/reference/openapi.json"), "utf8"));
  const { parameters } = document.components;
  const headers = { host: "api.example.com", authorization: "burgee-demo-key-for-this-machine" };
  const samples = readRoutes().flatMap((route) =>
    Object.entries<Operation>(document.paths[route.path]).map(([method, { operationId, requestBody }]) => {
      const url = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name].example);
      const [[type, { examples }] = ["", { examples: {} }]] = Object.entries(requestBody?.content ?? {});
      const [body] = Object.values(examples);
      const rawHeaders = Object.entries({ ...headers, ...(body && { "content-type": type }) }).flat();
      const bytes = Buffer.from(body ? JSON.stringify(body.value) : "");
      const request = { method: method.toUpperCase(), url, rawHeaders, body: bytes };
      return [operationId, toEvent(request, route)] as const;
    }),
  );
  return new Map(samples);
}
