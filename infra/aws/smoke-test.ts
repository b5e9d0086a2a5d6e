/** Tests a deployed stage: whether its functions run, and may make their calls. */
import { Refusal } from "../cli/refusal.ts";
import { connect, describeError } from "./aws.ts";
import { poll, type Stack, type Stage, type Values } from "./stack.ts";

/** The paths that are called with an unknown key. A 401 shows that the gateway reaches the function, and that this can read keys. */
const paths = [
  "/api/admin/features/smoke-test/tags",
  "/api/admin/projects/smoke-test/features/smoke-test/variants",
  "/api/admin/projects",
];

/** New addresses and permissions take a while to reach all of AWS. */
const smokeTestMs = 30_000;

interface Result {
  failure?: string | undefined;
  /** Why the call says nothing about the release: a proxy or a limit, for example. */
  untested?: string;
}

/** Returns what is wrong; undefined if nothing is. Refuses if the functions cannot be called from here. */
export async function smokeTest(stage: Stage, { outputs, parameters }: Stack): Promise<string | undefined> {
  // A custom domain may not be in DNS yet.
  const base = outputs.DefaultUrl ?? outputs.Url;
  const until = Date.now() + smokeTestMs;
  const results = await poll(
    () =>
      Promise.all([
        ...paths.map((path) => callGateway(`${base}${path}`, parameters)),
        ...["tags", "variants", "read"].map((name) => invokeSmokeTest(stage, name)),
      ]),
    (all) => Date.now() > until || all.every(({ failure, untested }) => !failure && !untested),
  );
  for (const { untested } of results)
    if (untested) console.error(`burgee: not tested from here: ${untested}`);
  return results.find(({ failure }) => failure)?.failure;
}

async function callGateway(url: string, { Truststore }: Values): Promise<Result> {
  try {
    const headers = { authorization: "smoke-test" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) });
    const body = await response.text();
    // The gateway's own 401 has no such name.
    if (response.status === 401 && body.includes('"AuthenticationRequired"')) return {};
    if (response.status === 403 && Truststore) {
      return { untested: `GET ${url} needs a certificate of a client, because of Truststore` };
    }
    // Other callers may use up the limit until this deployment has raised it.
    if (response.status === 429) return { untested: `GET ${url} returned 429: RateLimit is used up` };
    return { failure: `GET ${url} returned ${response.status} ${body.slice(0, 200)}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { untested: `GET ${url} failed: ${cause instanceof Error ? cause.message : message}` };
  }
}

/** Lets a function try each of its calls to the table, without a change. */
async function invokeSmokeTest({ region, stack }: Stage, name: string): Promise<Result> {
  const input = { FunctionName: `${stack}-${name}`, Payload: JSON.stringify({ smokeTest: true }) };
  const { Payload } = await connect("Lambda", region)
    .invoke(input)
    .catch((error: Error) => {
      throw new Refusal(`it is deployed, but was not tested: ${describeError(error) ?? error}`);
    });
  const text = Payload?.transformToString() ?? "";
  const reason = readFailed(text)?.join("; ") ?? (text || "nothing");
  return { failure: reason && `the function ${input.FunctionName} responds ${reason}` };
}

/** Returns undefined for what is no response to the test, such as Lambda's report of an error. */
function readFailed(payload: string): string[] | undefined {
  try {
    return JSON.parse(JSON.parse(payload).body).failed;
  } catch {
    return undefined;
  }
}
