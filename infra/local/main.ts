/** `npm start`: serves the built functions behind a local gateway. */
import { explain } from "../admin/explain.ts";
import { isOfAws } from "../aws-settings.ts";
import { printableLines } from "../printable.ts";
import type { State } from "../state/state.ts";
import { announce } from "./announce.ts";
import { createGateway } from "./gateway.ts";
import { exitOnOutputErrors, type Options, readOptions } from "./options.ts";
import { createPages } from "./pages.ts";
import { listen, openService, readFirstState } from "./service.ts";
import { watchSources } from "./watch.ts";

async function start(options: Options): Promise<void> {
  const { state, source } = await readFirstState(options.state);
  const service = await openService({ ...options, state, source });
  const { engine, session, seeded, routes, invoke, reload } = service;
  // On AWS, reading the whole table for a list would cost money.
  const listed = isOfAws(engine.endpoint) ? undefined : session;
  const pages = createPages({ key: demoKey(options, state), session: listed });
  const url = await listen(createGateway({ routes, invoke, pages, names: options }), options);
  if (options.watch) await watchSources(reload);
  announce({ url, engine, state, seeded, options });
}

/** The demo's key is public; keys of another state are printed in the terminal only. */
function demoKey(options: Options, state: State): string | undefined {
  return options.state === undefined ? state.apiKeys[0]?.key : undefined;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
exitOnOutputErrors();

const options = readOptions(process.argv.slice(2));
try {
  await start(options);
} catch (error) {
  const line = explain(error, options);
  if (line === undefined) throw error;
  console.error(printableLines(`burgee: ${line}`));
  process.exit(1);
}
