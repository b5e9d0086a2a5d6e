/** Loads and invokes the built functions as Lambda would: by a file and the name of its export. */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import type { Context } from "aws-lambda";
import { projectFile } from "../project-file.ts";
import type { Invoke } from "./gateway.ts";
import type { DeclaredFunction } from "./routes.ts";

const require = createRequire(import.meta.url);

/** Loads the functions at once. They read their settings when they are loaded, so the environment must be set before. */
export function loadFunctions(functions: readonly DeclaredFunction[]): { invoke: Invoke; reload(): void } {
  const files = functions.map(({ handler }) => fileOf(handler));
  const load = () => files.map((file) => require(file));
  load();
  return {
    invoke: async (declared, event) => {
      const { handler } = declared;
      const exported = handler.slice(handler.lastIndexOf(".") + 1);
      return require(fileOf(handler))[exported](event, contextOf(declared));
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

/** What the functions read of Lambda's context object. */
function contextOf({
  timeoutMs,
}: DeclaredFunction): Pick<Context, "awsRequestId" | "getRemainingTimeInMillis"> {
  const endsAt = Date.now() + timeoutMs;
  return {
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, endsAt - Date.now()),
  };
}
