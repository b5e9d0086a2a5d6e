/** Prints what a user needs for a first call, once the server is ready. */
import { isAllowed } from "../../lib/access/caller.ts";
import { printable } from "../printable.ts";
import type { State } from "../state/state.ts";
import type { Engine } from "./engine.ts";
import type { Options } from "./options.ts";

type Feature = State["features"][number];

interface Started {
  url: string;
  engine: Engine;
  state: State;
  /** Whether this start stored the state; false if the data already existed. */
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
    ...(seeded
      ? calls(url, state)
      : [`Burgee continues with the existing data in ${options.data ?? options.endpoint}.`]),
    "",
    `ready ${url}`,
  ];
  console.log(lines.map(printable).join("\n"));
}

function calls(url: string, state: State): string[] {
  const feature = state.features[0];
  const key = feature && keyFor(feature, state);
  if (!feature || key === undefined)
    return [
      "No calls to paste: the state has no feature, or no valid API key in plain text with ADMIN in its project.",
    ];
  const name = encodeURIComponent(feature.name);
  const tags = { addedTags: [{ type: "simple", value: "first-call" }], removedTags: [] };
  const variants = `${url}/api/admin/projects/${encodeURIComponent(feature.project)}/features/${name}/variants`;
  return [
    `API key: ${key}`,
    "",
    "Add a tag:",
    curl("PUT", `${url}/api/admin/features/${name}/tags`, key, tags),
    "",
    "Preview a patch of the variants in every environment (a dry run):",
    curl("PATCH", `${variants}?dryRun=true`, key, patch(feature)),
    "",
    "Patch them:",
    curl("PATCH", variants, key, patch(feature)),
  ];
}

/** The first key that is permitted to make all of the calls. */
function keyFor({ project }: Feature, { apiKeys }: State): string | undefined {
  const isExpired = (expiresAt = "") => Date.parse(expiresAt) <= Date.now();
  return apiKeys.find(({ name, permissions: permits, key, disabled, expiresAt }) => {
    const isUsable = key !== undefined && !disabled && !isExpired(expiresAt);
    return isUsable && isAllowed({ name, permits }, "ADMIN", { project });
  })?.key;
}

/** A patch that can be sent any number of times. */
function patch({ environments }: Feature): unknown {
  const lists = Object.values(environments ?? {}).map(({ variants }) => variants);
  const hasVariants = lists.length > 0 && lists.every((variants) => variants.length > 0);
  return hasVariants ? [{ op: "replace", path: "/0/stickiness", value: "userId" }] : [];
}

function curl(method: string, url: string, key: string, body: unknown): string {
  const headers = `-H ${quote(`Authorization: ${key}`)} -H 'Content-Type: application/json'`;
  return `curl -X ${method} ${quote(url)} ${headers} -d ${quote(JSON.stringify(body))}`;
}

/** Quotes for a POSIX shell, where nothing is special inside single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
