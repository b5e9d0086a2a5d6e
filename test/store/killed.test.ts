/** Kills the process at each call of a patch, and retries the request in a new process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { adminKey, useBurgee } from "../support/burgee.ts";
import { toEvent } from "../support/event.ts";
import { add, times } from "../support/patching.ts";
import { addFeature, variant } from "../support/seed.ts";
import type { Fate } from "../support/wire.ts";

const blue = variant("blue");
const environments = { development: [blue], staging: [blue], production: [blue] };
const patch = [add("/-", { name: "red", weight: 1 })];
const headers = { "idempotency-key": "deploy-42" };

/** Runs the built function in a process of its own, as in a sandbox. */
const program = `
  const { handler } = require("./dist/variants.cjs");
  handler(JSON.parse(process.env.EVENT), { getRemainingTimeInMillis: () => 10_000 });
`;

const burgee = useBurgee();

describe.each(["before the call", "after the call, before its response"] as const)("%s", (when) => {
  // Call 0 is made while the sandbox starts, call 1 looks up the key, call 2 reads the feature, and the others write the environments in order.
  it.each([0, 1, 2, 3, 4, 5])(
    "of call %i: each environment is completely old or new, and all are new after a retry",
    async (at) => {
      const feature = await addFeature(burgee, { environments });

      await runUntil(feature, (call, child) => {
        if (call !== at) return "pass";
        child.kill("SIGKILL");
        return when === "before the call" ? "cut before it is done" : "lose the answer";
      });

      const isWritten = when !== "before the call";
      // The engine counts a call when it has done it, which may be after the process has ended.
      if (isWritten) await expect.poll(() => burgee.wire.calls[at]?.units).toBeGreaterThan(0);
      const written = times(3, (index) => index + 3 < at || (index + 3 === at && isWritten));
      expect(await standings(feature)).toEqual(written.map((isNew) => (isNew ? "new" : "old")));
      burgee.wire.reset();
      const again = await burgee.patch(feature, patch, { headers });
      expect([again.status, ...(await standings(feature))]).toEqual([200, "new", "new", "new"]);
    },
  );
});

/** Sends the patch to a process, and waits for the process to end. */
async function runUntil(feature: string, decide: (call: number, child: ChildProcess) => Fate): Promise<void> {
  const event = toEvent({
    method: "PATCH",
    path: `/api/admin/projects/default/features/${feature}/variants`,
    headers: { ...headers, authorization: adminKey, "content-type": "application/json" },
    body: JSON.stringify(patch),
  });
  const env = { ...process.env, EVENT: JSON.stringify(event) };
  const child = spawn(process.execPath, ["--eval", program], { env, stdio: "ignore" });
  let calls = 0;
  burgee.wire.decide(() => decide(calls++, child));
  await once(child, "exit");
}

/** Returns for each environment whether it is old or new; any other state is neither. */
async function standings(feature: string): Promise<string[]> {
  const halves = [variant("blue", { weight: 500 }), variant("red", { weight: 500 })];
  const known: Record<string, string> = {
    [JSON.stringify([[blue], 1])]: "old",
    [JSON.stringify([halves, 2])]: "new",
  };
  const items = Object.keys(environments).map((environment) =>
    burgee.storedEnvironment(feature, environment),
  );
  return (await Promise.all(items)).map(({ variants, revision }) => {
    const standing = JSON.stringify([variants.map(inOrder), revision]);
    return known[standing] ?? standing;
  });
}

function inOrder({ name, weight, weightType, stickiness }: ReturnType<typeof variant>) {
  return { name, weight, weightType, stickiness };
}
