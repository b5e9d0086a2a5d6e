/**
 * `npm run fuzz`: sends hostile events to the handlers, and checks the response, the processor time, the log and the
 * table after each. FUZZ_REQUESTS and FUZZ_SEED; a found case is shrunk and printed.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  declaredRoutes,
  decodePathParameters,
  findDeclaredRoute,
  splitUrl,
} from "../../infra/local/routes.ts";
import { functionOf, useBurgee } from "../support/burgee.ts";
import { toEvent } from "../support/event.ts";
import { log } from "../support/log.ts";
import { requireShape } from "../support/shapes.ts";
import {
  issuesOfResponse,
  issuesOfTable,
  readTable,
  statesWhatIsStored,
  type Table,
  type Target,
} from "./check.ts";
import { request } from "./requests.ts";
import { starts, stateOf } from "./world.ts";

const { FUZZ_REQUESTS = "3000", FUZZ_SEED = String(Date.now() % 1_000_000) } = process.env;
const mostCpuMs = 200;
const averageSteps = 10;

const burgee = useBurgee({}, { DOCUMENT_CACHE_SECONDS: "0" });
const routes = declaredRoutes;
const seen = new Map<number, number>();

const scenario = [
  fc.constantFrom(...starts),
  fc.array(request, { minLength: 1, maxLength: 2 * averageSteps, size: "max" }),
] as const;

it(`responds to ${FUZZ_REQUESTS} hostile requests as documented, with seed ${FUZZ_SEED}`, async () => {
  const holds = fc.asyncProperty(...scenario, async (start, steps) => {
    await burgee.store(stateOf(start));
    let state: State = { etag: '"none"', change: "none", table: await readTable(burgee.session) };
    for (const each of steps) state = await check(each, state);
  });
  const numRuns = Math.ceil(Number(FUZZ_REQUESTS) / averageSteps);
  await fc.assert(holds, { numRuns, seed: Number(FUZZ_SEED), interruptAfterTimeLimit: 1_800_000 });

  console.error(seen);
  for (const status of [200, 201, 304, 400, 401, 403, 404, 405, 412, 415]) {
    expect([...seen.keys()]).toContain(status);
  }
}, 3_600_000);

interface State {
  table: Table;
  /** The last ETag, and the last change, that a response had. */
  etag: string;
  change: string;
}

async function check(
  { method, path: drawn, headers, body }: typeof request extends fc.Arbitrary<infer Drawn> ? Drawn : never,
  { etag, change, table: before }: State,
): Promise<State> {
  const path = drawn.replace("{change}", change);
  const sent = Object.entries(headers).map(([name, value]) => [name, value?.replaceAll("{etag}", etag)]);
  const event = toEvent({ method, path, headers: Object.fromEntries(sent), body });
  const target = targetOf(method, path);
  log.length = 0;
  const cpuBefore = process.cpuUsage();

  const response = await burgee.deliver(functionOf({ method, path }), event);

  const { status, json } = response;
  const hasBody = status !== 204 && status !== 304 && method !== "HEAD" && json !== undefined;
  if (hasBody) requireShape(shown(target), status, json);
  const { user, system } = process.cpuUsage(cpuBefore);
  const after = await readTable(burgee.session);
  seen.set(status, (seen.get(status) ?? 0) + 1);
  const issues = [
    ...issuesOfResponse(response, target, JSON.stringify(log)),
    ...issuesOfTable(before, after, target, response),
    ...(!hasBody || statesWhatIsStored(response, target, after)
      ? []
      : ["the response has what is not stored"]),
    ...((user + system) / 1000 > mostCpuMs ? [`the request took ${(user + system) / 1000} ms`] : []),
  ];
  expect(issues, JSON.stringify(event)).toEqual([]);
  const { etag: latest = etag, "burgee-change": made = change } = response.headers;
  return { etag: latest, change: made, table: after };
}

function targetOf(method: string, path: string): Target {
  const route = findDeclaredRoute(routes, method, path)?.path;
  const [rawPath, rawQuery] = splitUrl(path);
  const query = new URLSearchParams(rawQuery);
  return {
    method,
    route,
    names: (route !== undefined && decodePathParameters(route, rawPath)) || {},
    isDryRun: /^(PUT|PATCH|POST|DELETE)$/.test(method) && query.get("dryRun") === "true",
    // The environment as a whole has its variants by name.
    isByName: query.get("by") === "name" || isWhole(method, route),
    hasEnvironments: query.get("with") === "environments",
  };
}

function isWhole(method: string, route = ""): boolean {
  return route.endsWith("{environment}") || (method === "PATCH" && route.endsWith("{featureName}"));
}

/** A path with the options that decide on the shape of the response. */
function shown({ method, route = "", isDryRun, isByName, hasEnvironments }: Target) {
  const options = [isDryRun && "dryRun=true", isByName && "by=name", hasEnvironments && "with=environments"];
  return { method, path: `${route}?${options.filter(Boolean).join("&")}` };
}
