/** Warns of a misspelled environment at the start: otherwise it shows when the agent cannot write where it should. */
import { projectsSchema } from "../../../lib/contract/responses/lists.ts";
import { type Api, request } from "../api/api.ts";
import { pathOf } from "../api/path.ts";

/** If the projects cannot be read, returns nothing: the first tool reports why. */
export async function warningOfUnknownEnvironments(
  api: Api,
  write: readonly string[],
): Promise<string | undefined> {
  const reading = request(api, projectsSchema, { method: "GET", path: pathOf(["projects"]) });
  const read = await reading.catch(() => undefined);
  if (!read) return undefined;
  const known = new Set(read.body.projects.flatMap(({ environments }) => environments));
  const unknown = write.filter((name) => !known.has(name));
  if (unknown.length === 0) return undefined;
  return `--write: no project that the key may read has the environment ${quotedNames(unknown)}; there are ${quotedNames([...known])}`;
}

const quotedNames = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");
