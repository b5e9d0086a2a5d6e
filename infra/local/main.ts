/** `npm start`: serves the built functions behind a local gateway. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Plugin } from "esbuild";
import { functionsBuild } from "../../esbuild.config.mjs";
import { exitWith } from "../cli/exit.ts";
import { enterFolderOfUser } from "../cli/how-started.ts";
import { projectFile } from "../cli/project-file.ts";
import { announce } from "./announce.ts";
import { loadFunctions } from "./built-functions.ts";
import { createGateway } from "./gateway.ts";
import { readStartOptions, type StartOptions } from "./options.ts";
import { createPages } from "./pages.ts";
import { declaredRoutes } from "./routes.ts";
import { listen, openService, readFirstState } from "./service.ts";

async function start(options: StartOptions): Promise<void> {
  const state = await readFirstState(options.state);
  await requireFreePort(options);
  const service = await openService(state, loadFunctions, options);
  const { invoke, reload } = service;
  // The demo's key is public; keys of another state are printed in the terminal only.
  const key = options.state === undefined ? state.apiKeys[0]?.key : undefined;
  const pages = createPages(key);
  const { allowHost } = options;
  const url = await listen(createGateway({ routes: declaredRoutes, invoke, pages, allowHost }), options);
  if (options.watch) await watchSources(reload);
  announce(url, state, service, options);
}

/** Fails before the data's folder is created if the port is taken. */
async function requireFreePort(options: StartOptions): Promise<void> {
  const server = createServer();
  await listen(server, options);
  server.close();
  await once(server, "close");
}

/** Rebuilds the functions when a source changes, into a new folder each time, because Node.js loads a file only once. */
async function watchSources(reload: (folder: string) => void): Promise<void> {
  const onRebuild: Plugin = {
    name: "reload",
    setup: ({ onEnd }) =>
      onEnd(({ outputFiles = [] }) => {
        if (outputFiles.length === 0) return;
        const folder = mkdtempSync(path.join(tmpdir(), "burgee-"));
        for (const { path: file, contents } of outputFiles) {
          writeFileSync(path.join(folder, path.basename(file)), contents);
        }
        reload(folder);
        rmSync(folder, { recursive: true });
      }),
  };
  // Imported at the top, it would delay each start.
  const { context } = await import("esbuild");
  const plugins = [...functionsBuild.plugins, onRebuild];
  const settings = { ...functionsBuild, absWorkingDir: projectFile(""), plugins, logLevel: "info" } as const;
  await (await context({ ...settings, write: false })).watch();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(0));

enterFolderOfUser();
const options = readStartOptions(process.argv.slice(2));
await start(options).catch((error) => exitWith(error, options));
