/** Loads the built functions as Lambda would: a file and the name of its export. */
import { createRequire } from "node:module";
import { projectFile } from "../project-file.ts";
import type { Invoke } from "./gateway.ts";
import type { DeclaredFunction } from "./routes.ts";

const require = createRequire(import.meta.url);

/** The environment must be set before the first call: a function reads its settings when it is loaded. */
export function loadFunctions(functions: readonly DeclaredFunction[]): { invoke: Invoke; reload(): void } {
  const files = functions.map(({ handler }) => fileOf(handler));
  const load = () => files.map((file) => require(file));
  load();
  return {
    invoke: async ({ handler }, event, context) => {
      const exported = handler.slice(handler.lastIndexOf(".") + 1);
      return require(fileOf(handler))[exported](event, context);
    },
    reload() {
      for (const file of files) delete require.cache[file];
      load();
    },
  };
}

function fileOf(handler: string): string {
  return projectFile(`${handler.slice(0, handler.lastIndexOf("."))}.cjs`);
}
