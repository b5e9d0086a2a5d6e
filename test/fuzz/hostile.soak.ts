/**
 * `npm run fuzz`: sends hostile events to the handlers, and checks the response, the processor time, the log and the
 * table after each. FUZZ_REQUESTS and FUZZ_SEED; a found case is shrunk and printed.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodePathParameters, findDeclaredRoute, readRoutes, splitUrl } from "../../infra/local/routes.ts";
import { requireShape, useBurgee } from "../support/burgee.ts";
import { toEvent } from "../support/event.ts";
import { log } from "../support/log.ts";
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

const burgee = useBurgee();
const routes = readRoutes();
const seen = new Map<number, number>();

const scenario = [
  fc.constantFrom(...starts),
  fc.array(request, { minLength: 1, maxLength: 2 * averageSteps, size: "max" }),
] as const;

it(`responds to ${FUZZ_REQUESTS} hostile requests as documented, with seed ${FUZZ_SEED}`, async () => {
  const holds = fc.asyncProperty(...scenario, async (start, steps) => {
    await burgee.store(stateOf(start));
    let state = { etag: '"none"', table: await readTable(burgee.session) };
    for (const each of steps) state = await check(each, state);
  });
  const numRuns = Math.ceil(Number(FUZZ_REQUESTS) / averageSteps);
  await fc.assert(holds, { numRuns, seed: Number(FUZZ_SEED), interruptAfterTimeLimit: 1_800_000 });

  console.error(seen);
  for (const status of [200, 201, 304, 400, 401, 403, 404, 405, 412, 415]) {
    expect([...seen.keys()]).toContain(status);
  }
}, 3_600_000);

async function check(
  { method, path, headers, body }: typeof request extends fc.Arbitrary<infer Drawn> ? Drawn : never,
  { etag, table: before }: { etag: string; table: Table },
) {
  const sent = Object.entries(headers).map(([name, value]) => [name, value?.replaceAll("{etag}", etag)]);
  const event = toEvent({ method, path, headers: Object.fromEntries(sent), body });
  const target = targetOf(method, path);
  log.length = 0;
  const cpuBefore = process.cpuUsage();

  const response = await burgee.deliver(path.includes("/projects/") ? "variants" : "tags", event);

  const { status, json } = response;
  // A response to HEAD keeps its body here, as there is no gateway that would remove it.
  if (status !== 204 && status !== 304) requireShape(shown(target), status, json);
  const { user, system } = process.cpuUsage(cpuBefore);
  const after = await readTable(burgee.session);
  seen.set(status, (seen.get(status) ?? 0) + 1);
  const issues = [
    ...issuesOfResponse(response, target, JSON.stringify(log)),
    ...issuesOfTable(before, after, target),
    ...(statesWhatIsStored(response, target, after) ? [] : ["the response has what is not stored"]),
    ...((user + system) / 1000 > mostCpuMs ? [`the request took ${(user + system) / 1000} ms`] : []),
  ];
  expect(issues, JSON.stringify(event)).toEqual([]);
  return { etag: response.headers.etag ?? etag, table: after };
}

function targetOf(method: string, path: string): Target {
  const route = findDeclaredRoute(routes, method, path)?.path;
  const [rawPath, rawQuery] = splitUrl(path);
  const query = new URLSearchParams(rawQuery);
  return {
    method,
    route,
    names: (route !== undefined && decodePathParameters(route, rawPath)) || {},
    isDryRun: /^(PUT|PATCH)$/.test(method) && query.get("dryRun") === "true",
    isByName: query.get("by") === "name",
  };
}

/** A path with the options that decide on the shape of the response. */
function shown({ method, route = "", isDryRun, isByName }: Target) {
  return { method, path: `${route}?${isDryRun ? "dryRun=true" : ""}&${isByName ? "by=name" : ""}` };
}
