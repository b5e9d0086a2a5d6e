/** Sends a request, injects a fault into one of its calls, reads what is stored, and retries the request. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { hashKey } from "../../lib/access/authenticate.ts";
import type { Burgee, Response } from "../support/burgee.ts";
import { countDown } from "../support/event.ts";
import type { Call, Fate } from "../support/wire.ts";
import type { Duration } from "./faults.ts";
import { environments, type Operation, purposeOf, subjectOf } from "./operations.ts";

export interface Strike {
  operation: Operation;
  at: string;
  fate: Fate;
  duration: Duration;
}

export interface Stored {
  tags: readonly string[];
  /** How many times each environment has the patch, and its revision. */
  environments: Readonly<Record<string, { times: number; revision: number }>>;
}

export interface Outcome {
  answer: Response;
  stored: Stored;
  again: Response;
  storedThen: Stored;
}

/** Runs all concurrently, as they mostly wait; each call is assigned to its request. */
export async function strikeAll(burgee: Burgee, strikes: readonly Strike[]): Promise<Outcome[]> {
  const prepared = strikes.map(prepare);
  await burgee.store({
    projects: [{ id: "default", environments: Object.keys(environments) }],
    features: prepared.map(({ feature: name }) => ({ name, project: "default", environments: lists })),
    apiKeys: prepared.map(({ key }) => ({ name: key, key, permissions: [{ permission: "ADMIN" }] })),
  });
  const deciding = new Map(
    prepared.flatMap((each) => [each.feature, hashKey(each.key)].map((of) => [of, each])),
  );
  burgee.wire.decide((call) => deciding.get(subjectOf(call))?.decide(call) ?? "pass");
  const outcomes = await Promise.all(prepared.map((each) => strike(burgee, each)));
  // On a busy machine a request may time out before its fault, which proves nothing.
  const missed = strikes.filter((_, at) => prepared[at]?.struck === 0);
  const later = missed.length > 0 ? await strikeAll(burgee, missed) : [];
  return outcomes.map((outcome, at) => (prepared[at]?.struck === 0 ? (later.shift() as Outcome) : outcome));
}

interface Prepared extends Strike {
  feature: string;
  key: string;
  struck: number;
  remainingMs: () => number;
  decide: (call: Call) => Fate;
}

const lists = Object.fromEntries(
  Object.entries(environments).map(([environment, variants]) => [environment, { variants }]),
);

/** Adds a feature and a new key, which is not cached and so is looked up. */
function prepare({ operation, at, fate, duration }: Strike): Prepared {
  const timeoutMs = duration === "once" ? 8000 : 1200;
  const prepared: Prepared = {
    ...{ operation, at, fate, duration, struck: 0 },
    // The deadline counts from the fault on.
    remainingMs: () => timeoutMs,
    feature: `feature-${randomUUID()}`,
    key: `burgee-test-key-${randomUUID()}`,
    decide(call) {
      const isNext = prepared.struck === 0 ? purposeOf(call) === at : duration === "from then on";
      if (isNext && prepared.struck++ === 0) prepared.remainingMs = countDown(timeoutMs);
      return isNext ? fate : "pass";
    },
  };
  return prepared;
}

async function strike(burgee: Burgee, prepared: Prepared): Promise<Outcome> {
  const { operation, fate, feature, key } = prepared;
  const options = { key, headers: { "idempotency-key": feature } };
  const remainingMs = () => prepared.remainingMs();
  const answer = await operation.send(burgee, feature, { ...options, remainingMs });
  prepared.decide = () => "pass";
  const stored = await storedIn(burgee, feature);
  // An overtaken call arrives during the retry, or after it.
  const again = await operation.send(burgee, feature, options);
  if (typeof fate === "object" && "beforeMs" in fate) await setTimeout(fate.beforeMs);
  return { answer, stored, again, storedThen: await storedIn(burgee, feature) };
}

async function storedIn(burgee: Burgee, feature: string): Promise<Stored> {
  const { tags } = await burgee.storedFeature(feature);
  const states = await Promise.all(
    Object.keys(environments).map(async (environment) => {
      const { variants, revision } = await burgee.storedEnvironment(feature, environment);
      return [environment, { times: variants.filter(({ name }) => name === "red").length, revision }];
    }),
  );
  return { tags: Object.keys(tags), environments: Object.fromEntries(states) };
}
