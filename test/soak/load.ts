/** Sends requests of all kinds to a few features, many at a time, over a connection with random faults. */
import { randomUUID } from "node:crypto";
import type { Burgee, Request, Response } from "../support/burgee.ts";
import { variant } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";
import type { Attempt, Sent, Standing } from "./history.ts";

const environments = ["development", "staging", "production"];
/** The first by name, so that its index never changes. */
const journal = variant("a-journal", { overrides: [{ contextName: "ids", values: ["start"] }] });
const others = ["blue", "green"].map((name) => variant(name));
const atTheSameTime = 64;
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(Math.random() * values.length)] as Value;

/** About one request in twenty-five gets a fault in one of its calls. */
export function randomFault(): Fate {
  if (Math.random() > 0.02) return "pass";
  return pick<Fate>(["lose the answer", "cut before it is done", { error: "ThrottlingException" }]);
}

/** Sends hundreds of requests to new features, and reads the stored state afterwards. */
export async function runRound(
  burgee: Burgee,
  count = 300,
): Promise<{ sent: Sent[]; standings: Standing[] }> {
  const features = Array.from({ length: 3 }, () => `feature-${randomUUID()}`);
  const variants = [journal, ...others].map((each, at) => ({ ...each, weight: [334, 333, 333][at] }));
  await burgee.store({
    projects: [{ id: "default", environments }],
    features: features.map((name) => ({
      name,
      project: "default",
      environments: Object.fromEntries(environments.map((environment) => [environment, { variants }])),
    })),
  });
  burgee.wire.decide(randomFault);
  const sent: Sent[] = [];
  let started = 0;
  const worker = async () => {
    while (started++ < count) sent.push(await sendAny(burgee, pick(features), sent));
  };
  await Promise.all(Array.from({ length: atTheSameTime }, worker));
  burgee.wire.reset();
  return { sent, standings: await Promise.all(features.map((feature) => standingOf(burgee, feature))) };
}

async function sendAny(burgee: Burgee, feature: string, sent: readonly Sent[]): Promise<Sent> {
  const isStale = Math.random() < 0.05;
  const dryRun = Math.random() < 0.1;
  const base = { id: randomUUID().slice(0, 8), feature, isHarmless: isStale || dryRun };
  const options: Partial<Request> = isStale ? { key: "burgee-a-key-that-was-revoked" } : {};
  if (Math.random() < 0.4) return sendTags(burgee, { ...base, dryRun, options, sent });
  return sendPatch(burgee, { ...base, dryRun, options });
}

interface Plan {
  id: string;
  feature: string;
  isHarmless: boolean;
  dryRun: boolean;
  options: Partial<Request>;
}

async function sendPatch(burgee: Burgee, { id, feature, isHarmless, dryRun, options }: Plan): Promise<Sent> {
  const environment = Math.random() < 0.4 ? pick(environments) : undefined;
  const patch = [
    { op: "add", path: "/0/overrides/0/values/-", value: id },
    {
      op: "replace",
      path: `/${pick([0, 1, 2])}/stickiness`,
      value: pick(["default", "userId", "sessionId"]),
    },
  ];
  const headers: Record<string, string> = {};
  const isRetried = Math.random() < 0.4;
  if (isRetried) headers["idempotency-key"] = id;
  if (Math.random() < 0.1) {
    headers["if-match"] = (await burgee.getVariants(feature, { environment })).headers.etag ?? "*";
  }
  const once = () =>
    timed(
      () => burgee.patch(feature, patch, { ...options, environment, dryRun, headers }),
      (answer) => (dryRun ? [] : patchedIn(answer)),
    );
  const attempts = isRetried ? await withRetries(once) : [await once()];
  const targets = environment === undefined ? environments : [environment];
  return { id, feature, environments: targets, kind: "patch", isHarmless, attempts };
}

/** Sends the request once or twice concurrently, and retries until it succeeds. */
async function withRetries(send: () => Promise<Attempt>): Promise<Attempt[]> {
  const attempts = await Promise.all(Math.random() < 0.5 ? [send(), send()] : [send()]);
  while (Math.random() < 0.3 || (attempts.at(-1)?.status ?? 0) >= 500) attempts.push(await send());
  return attempts;
}

/** Adds a new tag, or removes one whose addition has a response. */
async function sendTags(
  burgee: Burgee,
  { id, feature, isHarmless, dryRun, options, sent }: Plan & { sent: readonly Sent[] },
): Promise<Sent> {
  const removed = new Set(sent.filter(({ kind }) => kind === "remove tag").map(({ tag }) => tag));
  const added = sent.filter(
    (other) => other.kind === "add tag" && other.feature === feature && !removed.has(other.tag),
  );
  const old = Math.random() < 0.3 && added.length > 0 ? pick(added).tag : undefined;
  const tag = old ?? `tag-${id}`;
  const list = [{ type: "soak", value: tag }];
  const json =
    old === undefined ? { addedTags: list, removedTags: [] } : { addedTags: [], removedTags: list };
  const path = `/api/admin/features/${feature}/tags${dryRun ? "?dryRun=true" : ""}`;
  const attempts = [
    await timed(
      () => burgee.putTags(feature, json, { ...options, path }),
      () => [],
    ),
  ];
  const kind = old === undefined ? "add tag" : "remove tag";
  return { id, feature, environments: [], kind, tag, isHarmless, attempts };
}

async function timed(
  send: () => Promise<Response>,
  patched: (answer: Response) => string[],
): Promise<Attempt> {
  const sentAt = performance.now();
  const answer = await send();
  return { sentAt, answeredAt: performance.now(), status: answer.status, patched: patched(answer) };
}

function patchedIn({ headers, json }: Response): string[] {
  const onSuccess = [...(headers["burgee-environments"] ?? "").matchAll(/(\w+)=patched/g)].map(
    ([, name = ""]) => name,
  );
  const midway = (json.details ?? []).filter(({ outcome }: { outcome?: string }) => outcome === "patched");
  return [...onSuccess, ...midway.map(({ environment }: { environment: string }) => environment)];
}

async function standingOf(burgee: Burgee, feature: string): Promise<Standing> {
  const { tags } = await burgee.storedFeature(feature);
  const items = await Promise.all(
    environments.map((environment) => burgee.storedEnvironment(feature, environment)),
  );
  const states = items.map(({ environment, variants, revision }) => {
    const [, ...ids] = variants.find(({ name }) => name === journal.name)?.overrides?.[0]?.values ?? [];
    return [environment, { ids, revision, weights: variants.map(({ weight }) => weight) }];
  });
  return {
    feature,
    tags: Object.keys(tags).map((member) => JSON.parse(member)[1]),
    environments: Object.fromEntries(states),
  };
}
