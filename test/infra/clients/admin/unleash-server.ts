/** An HTTP server that responds to reads and to new variants as Unleash 6.10.1, 7.6.5 and 8.2.0 were seen to do. */
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeEach, vi } from "vitest";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { listen } from "../../../support/listening.ts";

export const token = "*:*.token-of-the-tests";

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** `hang` leaves the request without a response, `drop` closes its connection. */
type Fate = "pass" | "hang" | "drop" | Answer;

interface Put {
  feature: string;
  variants: Variant[];
}

/** That of a test file, closed after its last test. Before each test it is as new, and the token is set. */
export async function useUnleash() {
  const first = {
    /** The variants of the environment, by feature; all features are in the project "default". */
    variants: new Map<string, unknown[]>(),
    /** Which of them are on; of an export, all are. */
    enabled: new Map<string, boolean>(),
    switches: [] as string[],
    /** The response to a switch; it is made if undefined. */
    fateOfSwitch: undefined as Answer | undefined,
    /** What else an export has. */
    more: {} as object,
    puts: [] as Put[],
    fate: (_put: Put | undefined): Fate | Promise<Fate> => "pass",
  };
  const unleash = { ...first, address: "", received: [] as IncomingMessage[] };
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString() || "{}");
    unleash.received.push(incoming);
    const [, encoded] =
      /features\/([^/]+)\/environments\/production\/variants$/.exec(incoming.url ?? "") ?? [];
    const put = encoded === undefined ? undefined : { feature: decodeURIComponent(encoded), variants: body };
    if (put) unleash.puts.push(put);
    const fate = await unleash.fate(put);
    if (fate === "hang") return;
    if (fate === "drop") return void outgoing.destroy();
    const { status, headers, body: answer } = fate === "pass" ? respond(incoming, body, put) : fate;
    outgoing.writeHead(status, headers).end(JSON.stringify(answer));
  });
  unleash.address = `http://127.0.0.1:${await listen(server)}`;
  beforeEach(() => {
    const fresh = { variants: new Map(), enabled: new Map(), switches: [], puts: [], received: [] };
    Object.assign(unleash, { ...first, ...fresh });
    vi.stubEnv("UNLEASH_TOKEN", token);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return unleash;

  function respond({ headers, method, url }: IncomingMessage, body: { project: string }, put?: Put): Answer {
    if (headers.authorization !== token) return refusal(401, "You must log in to use Unleash.");
    if (put && method === "PUT") return overwrite(put);
    const [, switched = "", to] =
      /features\/([^/]+)\/environments\/production\/(on|off)$/.exec(url ?? "") ?? [];
    if (to !== undefined && method === "POST")
      return unleash.fateOfSwitch ?? turn(decodeURIComponent(switched), to);
    const [, listed] = /^\/api\/admin\/projects\/([^/]+)\/features$/.exec(url ?? "") ?? [];
    const names = [listed, body.project].includes("default") ? [...unleash.variants.keys()] : [];
    if (listed !== undefined) {
      const features = names.map((name) => ({ name, environments: [inList(name)] }));
      return { status: 200, body: { features } };
    }
    if (url !== "/api/admin/features-batch/export")
      return refusal(404, `The path (${url}) is not available.`);
    const inEnvironment = names.map((featureName) => {
      const variants = unleash.variants.get(featureName);
      return { featureName, environment: "production", variants, enabled: true };
    });
    const features = names.map((name) => ({ name, project: "default", archived: false }));
    return { status: 200, body: { features, featureEnvironments: inEnvironment, ...unleash.more } };
  }

  function inList(feature: string) {
    return { name: "production", enabled: unleash.enabled.get(feature) ?? false, sortOrder: 3 };
  }

  /** Responds without a body. */
  function turn(feature: string, to: string): Answer {
    unleash.switches.push(`${feature} ${to} after ${unleash.puts.length} puts`);
    unleash.enabled.set(feature, to === "on");
    return { status: 200 };
  }

  /** Divides the weights: of a remainder, the first variable variants of the list get one each. */
  function overwrite({ feature, variants }: Put): Answer {
    if ((unleash.variants.get(feature) ?? []).length === 0) {
      return refusal(
        403,
        `Environment variants deprecated for feature: ${feature}. Use strategy variants instead.`,
      );
    }
    const variable = variants.filter(({ weightType }) => weightType === "variable");
    const fixed = variants.filter(({ weightType }) => weightType === "fix");
    const rest = 1000 - fixed.reduce((sum, { weight }) => sum + weight, 0);
    const divided = variable.map((one, index) => {
      const extra = index < rest % variable.length ? 1 : 0;
      return { ...one, weight: Math.floor(rest / variable.length) + extra };
    });
    const stored = [...divided, ...fixed].sort((left, right) => left.name.localeCompare(right.name));
    unleash.variants.set(feature, stored);
    return { status: 200, body: { version: 1, variants: stored } };
  }
}

export function refusal(status: number, message: string, headers = {}): Answer {
  return { status, headers, body: { name: "Refused", message, details: [{ message }] } };
}
