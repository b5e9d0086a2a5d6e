/** Requests of all kinds on a few features, many at a time, over a wire that fails now and then. */
import { randomUUID } from "node:crypto";
import type { Burgee, Request, Response } from "../support/burgee.ts";
import { variant } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";
import type { Sent, Standing, Try } from "./history.ts";

const environments = ["development", "staging", "production"];
/** First in the order of names, so that its place stays. */
const journal = variant("a-journal", { overrides: [{ contextName: "ids", values: ["start"] }] });
const others = ["blue", "green"].map((name) => variant(name));
const atTheSameTime = 64;
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(Math.random() * values.length)] as Value;

/** One request in twenty-five has something happen to one of its calls. */
export function badLuck(): Fate {
  if (Math.random() > 0.02) return "pass";
  return pick<Fate>(["lose the answer", "cut before it is done", { error: "ThrottlingException" }]);
}

/** New features, some hundred requests on them, and how they stand afterwards. */
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
  burgee.wire.decide(badLuck);
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
  const isRepeated = Math.random() < 0.4;
  if (isRepeated) headers["idempotency-key"] = id;
  if (Math.random() < 0.1) {
    headers["if-match"] = (await burgee.getVariants(feature, { environment })).headers.etag ?? "*";
  }
  const once = () =>
    timed(
      () => burgee.patch(feature, patch, { ...options, environment, dryRun, headers }),
      (answer) => (dryRun ? [] : patchedIn(answer)),
    );
  const tries = isRepeated ? await repeatedly(once) : [await once()];
  const targets = environment === undefined ? environments : [environment];
  return { id, feature, environments: targets, kind: "patch", isHarmless, tries };
}

/** At the same time, and again until it is done. */
async function repeatedly(send: () => Promise<Try>): Promise<Try[]> {
  const tries = await Promise.all(Math.random() < 0.5 ? [send(), send()] : [send()]);
  while (Math.random() < 0.3 || (tries.at(-1)?.status ?? 0) >= 500) tries.push(await send());
  return tries;
}

/** A new tag, or the removal of one whose addition has been answered. */
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
  const tries = [
    await timed(
      () => burgee.putTags(feature, json, { ...options, path }),
      () => [],
    ),
  ];
  const kind = old === undefined ? "add tag" : "remove tag";
  return { id, feature, environments: [], kind, tag, isHarmless, tries };
}

async function timed(send: () => Promise<Response>, patched: (answer: Response) => string[]): Promise<Try> {
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
