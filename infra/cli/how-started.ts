/** Reads from npm's variables how the user has started this program. */
import type { TableOptions } from "./options.ts";
import { quotedForShell } from "./printable.ts";
import { projectFile } from "./project-file.ts";

/** Whether it is a script of this clone, such as `npm run admin`. */
function isScriptOfClone(): boolean {
  return /\bdist\/tools\/\w+\.mjs\b/.test(process.env.npm_lifecycle_script ?? "");
}

/** Makes paths relative to where the user is: npm runs the scripts of a clone in the clone's folder. */
export function enterFolderOfUser(): void {
  const { INIT_CWD: folder } = process.env;
  const isInClone = process.cwd() === projectFile("");
  if (isInClone && isScriptOfClone() && folder) process.chdir(folder);
}

interface Given extends TableOptions {
  json?: boolean;
}

/** Returns a command that is started, and finds the data, as the one that prints it. */
export function commandToPaste(
  { data, endpoint, table, url, json }: Given,
  words: readonly string[],
): string {
  const places = Object.entries({ data, endpoint, table, url });
  const given = places.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  return [program(), ...[...given, ...(json ? ["--json"] : []), ...words].map(quotedForShell)].join(" ");
}

function program(): string {
  if (isScriptOfClone()) return "npm run --silent admin --";
  return /^burgee\b/.test(process.env.npm_lifecycle_script ?? "") ? "npx burgee" : "burgee";
}
