/** Prints the addresses, the API key and two calls to begin with, once the server is ready. */
import { isAllowed } from "../../lib/access/permissions.ts";
import { printable, quotedForShell } from "../cli/printable.ts";
import type { State } from "../state/state-file-schemas.ts";
import type { StartOptions } from "./options.ts";
import type { LocalService } from "./service.ts";

export function announce(url: string, state: State, service: LocalService, options: StartOptions): void {
  const lines = [
    "",
    `Burgee is running at ${url}`,
    `The API reference is at ${url}/`,
    `Every flag, its switches and variants: ${url}/patch`,
    `SDKs load ${url}/api/projects/{project}/environments/{environment}/client/features (Unleash) or .../flagd.json`,
    `The DynamoDB engine is at ${service.engine.endpoint}, for npm run admin -- --endpoint`,
    ...(service.isStateStored
      ? calls(url, state)
      : [
          `Burgee continues with the existing data in ${options.data ?? options.endpoint}.`,
          ...(options.state === undefined
            ? []
            : [`It does not use ${options.state}: that is for a first start.`]),
        ]),
    "",
    `ready ${url}`,
  ];
  console.log(lines.map(printable).join("\n"));
}

/** Two calls that can be sent any number of times and change no variants, so that the README's examples can follow. */
function calls(url: string, { features: [feature], apiKeys }: State): string[] {
  const { name = "", project = "" } = feature ?? {};
  const key = apiKeys.find((each) => {
    const caller = { name: each.name, permissions: each.permissions ?? [] };
    return each.key !== undefined && isAllowed(caller, "ADMIN", { project });
  })?.key;
  if (!feature || key === undefined)
    return [
      "No calls to paste: the state has no feature, or no API key in plain text with ADMIN in its project.",
    ];
  const inUrl = encodeURIComponent(name);
  const variants = `${url}/api/admin/projects/${encodeURIComponent(project)}/features/${inUrl}/variants`;
  const tags = { addedTags: [{ type: "simple", value: "first-call" }], removedTags: [] };
  return [
    `API key: ${key}`,
    "",
    "Add a tag:",
    curl("PUT", `${url}/api/admin/features/${inUrl}/tags`, key, tags),
    "",
    "See what adding a variant would do in every environment:",
    curl("PATCH", `${variants}?by=name&dryRun=true`, key, [
      { op: "add", path: "/amber", value: { weight: 100, weightType: "fix" } },
    ]),
  ];
}

function curl(method: string, url: string, key: string, body: unknown): string {
  const headers = `-H ${quotedForShell(`Authorization: ${key}`)} -H 'Content-Type: application/json'`;
  return `curl -X ${method} ${quotedForShell(url)} ${headers} -d ${quotedForShell(JSON.stringify(body))}`;
}
