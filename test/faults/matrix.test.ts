/** Injects every fault at every call of a tag update and of a patch: responses are true, and retries apply once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Burgee, openBurgee } from "../support/burgee.ts";
import { addFeature, tag } from "../support/seed.ts";
import { durations, faults } from "./faults.ts";
import { environments, operations } from "./operations.ts";
import { type Outcome, type Stored, strikeAll } from "./strike.ts";

const unknown = /not known/;

let burgee: Burgee;
let bystander: string;
const outcomes = new Map<string, Outcome>();
const id = (...parts: string[]) => parts.join(", ");

beforeAll(async () => {
  burgee = await openBurgee();
  bystander = await addFeature(burgee, { environments, tags: [tag("as-it-was")] });
  for (const [fault, fate] of Object.entries(faults)) {
    const strikes = Object.entries(operations).flatMap(([name, operation]) =>
      operation.calls.flatMap((at) =>
        durations.map((duration) => ({ id: id(name, at, fault, duration), operation, at, fate, duration })),
      ),
    );
    const struck = await strikeAll(burgee, strikes);
    for (const [at, outcome] of struck.entries()) outcomes.set(strikes[at]?.id ?? "", outcome);
  }
}, 120_000);

afterAll(() => {
  if (process.env.MODE === "table") process.stderr.write(table());
  burgee.wire.close();
});

describe.each(Object.entries(operations))("%s", (name, { calls, patches }) => {
  describe.each(calls)("with a fault where it is about to %s", (at) => {
    it.each(Object.keys(faults).flatMap((fault) => durations.map((duration) => [fault, duration] as const)))(
      "%s, %s: the response is true, and a retry applies the change once",
      (fault, duration) => {
        const { answer, stored, again, storedThen } = outcomes.get(id(name, at, fault, duration)) as Outcome;
        const reported = new Map<string, { outcome: string; message?: string }>(
          (answer.json.details ?? []).map((detail: { environment: string }) => [detail.environment, detail]),
        );

        if (duration === "once" && fault !== "expired token") expect(answer.status).toBeLessThan(300);
        else expect([200, 201, 500, 503]).toContain(answer.status);
        if (answer.status < 300) expect(stored).toEqual(done(patches));
        else {
          for (const environment of Object.keys(environments)) {
            const { outcome, message = "" } = reported.get(environment) ?? {};
            const times = stored.environments[environment]?.times;
            if (outcome === "patched") expect(times).toBe(1);
            else if (!unknown.test(message)) expect(times).toBe(0);
          }
        }
        expect(again.status).toBe(patches.length > 0 ? 200 : 201);
        expect(storedThen).toEqual(done(patches));
      },
    );
  });
});

it("no other feature was changed", async () => {
  const { tags } = await burgee.storedFeature(bystander);
  expect(Object.keys(tags)).toEqual(['["simple","as-it-was"]']);
  for (const [environment, variants] of Object.entries(environments)) {
    expect(await burgee.storedEnvironment(bystander, environment)).toMatchObject({ variants, revision: 1 });
  }
});

/** The stored state after the request was applied once. */
function done(patches: readonly string[]): Stored {
  const states = Object.keys(environments).map((environment) => {
    const times = patches.includes(environment) ? 1 : 0;
    return [environment, { times, revision: 1 + times }];
  });
  return {
    tags: patches.length > 0 ? [] : ['["simple","new"]'],
    environments: Object.fromEntries(states),
  };
}

/** Formats a row for each call and a column for each fault: the statuses for a single and for a lasting fault. */
function table(): string {
  const widths = Object.keys(faults).map((fault) => Math.max(fault.length, 9));
  const line = (cells: string[]) =>
    cells.map((cell, at) => cell.padEnd(at < 2 ? 32 : (widths[at - 2] ?? 0))).join("  ");
  const rows = Object.entries(operations).flatMap(([name, { calls }]) =>
    calls.map((at) => {
      const cells = Object.keys(faults).map((fault) =>
        durations.map((duration) => outcomes.get(id(name, at, fault, duration))?.answer.status).join(" / "),
      );
      return line([name, at, ...cells]);
    }),
  );
  const head = line(["operation", "fault where it is about to", ...Object.keys(faults)]);
  return `\n${[head, ...rows].join("\n")}\n\nStatus when the fault occurs once / from then on. Every retry applied the change exactly once.\n`;
}
