/** What is printed once the server answers: all that a person needs for a first call. */
import { printable } from "../printable.ts";
import type { State } from "../state/state.ts";
import type { Engine } from "./engine.ts";
import type { Options } from "./options.ts";

interface Started {
  url: string;
  engine: Engine;
  state: State;
  /** Whether the state was stored, or the data was there before. */
  seeded: boolean;
  options: Options;
}

export function announce({ url, engine, state, seeded, options }: Started): void {
  const lines = [
    "",
    `Burgee is running at ${url}`,
    `The API reference is at ${url}/`,
    `To preview a patch: ${url}/patch`,
    `The DynamoDB engine is at ${engine.endpoint}, for npm run admin -- --endpoint`,
    ...(seeded ? calls(url, state) : [`It goes on with the data that was there${place(options)}.`]),
    "",
    `ready ${url}`,
  ];
  console.log(lines.map(printable).join("\n"));
}

function calls(url: string, { features, apiKeys }: State): string[] {
  const key = apiKeys.find(({ key, disabled }) => key !== undefined && !disabled)?.key;
  const feature = features[0];
  if (key === undefined || !feature)
    return ["The state holds no API key in plain text, or no feature to call it for."];
  const name = encodeURIComponent(feature.name);
  const tags = { addedTags: [{ type: "simple", value: "first-call" }], removedTags: [] };
  const variants = `${url}/api/admin/projects/${encodeURIComponent(feature.project)}/features/${name}/variants`;
  return [
    `API key: ${key}`,
    "",
    "Add a tag:",
    curl("PUT", `${url}/api/admin/features/${name}/tags`, key, tags),
    "",
    "See what a patch would make of the variants in every environment, and write nothing:",
    curl("PATCH", `${variants}?dryRun=true`, key, patch(feature)),
    "",
    "Patch them:",
    curl("PATCH", variants, key, patch(feature)),
  ];
}

/** One that can be sent again and again. */
function patch({ environments }: State["features"][number]): unknown {
  const lists = Object.values(environments ?? {}).map(({ variants }) => variants);
  const hasVariants = lists.length > 0 && lists.every((variants) => variants.length > 0);
  return hasVariants ? [{ op: "replace", path: "/0/stickiness", value: "userId" }] : [];
}

function curl(method: string, url: string, key: string, body: unknown): string {
  const headers = `-H ${quote(`Authorization: ${key}`)} -H 'Content-Type: application/json'`;
  return `curl -X ${method} ${quote(url)} ${headers} -d ${quote(JSON.stringify(body))}`;
}

/** For a POSIX shell: nothing inside single quotes means anything but itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function place({ data, endpoint }: Options): string {
  const where = data ?? endpoint;
  return where === undefined ? "" : ` in ${where}`;
}
