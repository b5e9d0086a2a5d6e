/** `npm run invoke -- FUNCTION EVENT`: calls a function. Prints its result, and its log on standard error. */
import { Argument, Option } from "commander";
import { exitOnErrors, exitWith } from "../cli/exit.ts";
import { enterFolderOfUser } from "../cli/how-started.ts";
import { readJsonFile } from "../cli/json-file.ts";
import { OneValueCommand } from "../cli/options.ts";
import { printableLines } from "../cli/printable.ts";
import { Refusal } from "../cli/refusal.ts";
import { readStateFile } from "../state/state-file.ts";
import type { Burgee } from "./harness.d.ts";
import { declaredRoutes, functionNames } from "./routes.ts";
import { readSampleEvents } from "./sample-events.ts";
import { startBurgee } from "./start-burgee.ts";

const notes = `
The event is one of API Gateway (payload format 2.0), and the result is printed as the function returns it. Nothing
is kept: to work on kept data, send requests to "npm start -- --data DIR".

Examples:
  npm run --silent invoke -- --sample patchFeatureVariants > event.json
  npm run --silent invoke -- variants event.json
  npm run --silent invoke -- --sample listTags | npm run --silent invoke -- tags -`;

const samples = readSampleEvents();
const program = exitOnErrors(new OneValueCommand("npm run invoke --"))
  .description("Calls one of the functions with an event, as API Gateway would.")
  .addArgument(new Argument("<function>").choices(functionNames(declaredRoutes)))
  .argument("<event>", 'the file of the event; "-" for standard input')
  .option("--state <file>", "start from this state instead of the demo's")
  .addOption(
    new Option("--sample <operation>", "print an event for the demo's state").choices([...samples.keys()]),
  )
  .on("option:sample", (operation: string) => {
    print(samples.get(operation));
    process.exit();
  })
  .addHelpText("after", notes)
  .parse();

enterFolderOfUser();
const [name, file] = program.processedArgs as [Parameters<Burgee["invoke"]>[0], string];
try {
  const { state: from } = program.opts<{ state?: string }>();
  const state = from === undefined ? {} : { state: await readStateFile(from) };
  const event = await readJsonFile(file);
  const burgee = await startBurgee({ ...state, log: console.error });
  print(await burgee.invoke(name, event as object));
  await burgee.stop();
} catch (error) {
  // The harness has explained its errors already.
  exitWith(new Refusal((error as Error).message), {});
}

function print(value: unknown): void {
  console.log(printableLines(JSON.stringify(value, null, 2)));
}
