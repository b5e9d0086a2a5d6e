/** Loads the built functions as Lambda does: each by its file and the name of its export. */
import { createRequire } from "node:module";
import path from "node:path";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { projectFile } from "../cli/project-file.ts";
import { declaredRoutes } from "./routes.ts";
import type { Functions } from "./service.ts";

const require = createRequire(import.meta.url);

export function loadFunctions(client: Client | undefined, folder = projectFile("dist")): Functions {
  const functions = declaredRoutes.map(({ function: { name, handler } }) => {
    const { name: file, ext } = path.parse(handler);
    const built = require(path.join(folder, `${file}.cjs`));
    // Without a client, this is the handler that Lambda calls.
    return [name, client ? built.open(process.env, { client, folder }) : built[ext.slice(1)]];
  });
  return Object.fromEntries(functions);
}
