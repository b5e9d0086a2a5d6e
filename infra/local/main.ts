/** `npm start`: serves the built functions behind a local gateway. */
import { explain } from "../admin/explain.ts";
import { isOfAws } from "../aws-settings.ts";
import { printableLines } from "../printable.ts";
import { announce } from "./announce.ts";
import { createGateway } from "./gateway.ts";
import { exitOnOutputErrors, type Options, readOptions } from "./options.ts";
import { createPages } from "./pages.ts";
import { listen, openService, readFirstState } from "./service.ts";
import { watchSources } from "./watch.ts";

async function start(options: Options): Promise<void> {
  const state = await readFirstState(options.state);
  const { engine, session, seeded, routes, invoke, reload } = await openService({ ...options, state });
  const pages = createPages({
    // The demo's key is public; keys of another state are printed in the terminal only.
    key: options.state === undefined ? state.apiKeys[0]?.key : undefined,
    // On AWS, reading the whole table for a list would cost money.
    session: isOfAws(engine.endpoint) ? undefined : session,
  });
  const { allowHost } = options;
  const url = await listen(createGateway({ routes, invoke, pages, allowHost }), options);
  if (options.watch) await watchSources(reload);
  announce({ url, engine, state, seeded, options });
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
