/** Under concurrency no acknowledged write is lost, and none is done twice. */
import { expect, it } from "vitest";
import { useBurgee } from "../support/burgee.ts";
import type { Fate } from "../support/wire.ts";

const environments = ["development", "staging", "production"];

const burgee = useBurgee({
  projects: [{ id: "default", environments }],
  features: ["patched", "tagged", "retagged", "contended"].map((name) => ({ name, project: "default" })),
});

const numbers = (count: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(3, "0"));

it("50 concurrent patches that each add a variant are all acknowledged, and all present in 3 environments", async () => {
  const names = numbers(50).map((number) => `variant-${number}`);

  const answers = await Promise.all(
    names.map((name) =>
      burgee.patch("patched", [{ op: "add", path: "/-", value: { name, weight: 1 } }], { timeoutMs: 60_000 }),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  for (const environment of environments) {
    const { variants, revision } = await burgee.storedEnvironment("patched", environment);
    expect(variants.map(({ name }) => name)).toEqual(names);
    expect(variants.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
    expect(revision).toBe(1 + names.length);
  }
}, 60_000);

it("100 concurrent tag updates lose none", async () => {
  const tags = numbers(100).map((value) => ({ value, type: "simple" }));

  const answers = await Promise.all(
    tags.map((tag) => burgee.putTags("tagged", { addedTags: [tag], removedTags: [] })),
  );

  expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 201));
  const { json } = await burgee.putTags("tagged", { addedTags: [], removedTags: [] });
  expect(json.tags).toEqual(tags);
});

it("an update of tags is seen whole or not at all by concurrent ones", async () => {
  const pair = (number: string) => ["left", "right"].map((type) => ({ type, value: `pair-${number}` }));

  const answers = await Promise.all(
    numbers(30).map((number) => burgee.putTags("retagged", { addedTags: pair(number), removedTags: [] })),
  );

  for (const { json } of answers) {
    const valuesOf = (side: string) =>
      json.tags
        .filter(({ type }: { type: string }) => type === side)
        .map(({ value }: { value: string }) => value);
    expect(valuesOf("left")).toEqual(valuesOf("right"));
  }
});

it("returns 409 when write conflicts last until the deadline, and stores nothing in that environment", async () => {
  let others = 0;
  burgee.wire.decide(async ({ operation, input }): Promise<Fate> => {
    const isOurs = JSON.stringify(input).includes('"green"');
    if (operation === "UpdateItem" && isOurs) {
      const value = { name: `other-${others++}`, weight: 1 };
      await burgee.patch("contended", [{ op: "add", path: "/-", value }]);
    }
    return "pass";
  });

  const { status, json } = await burgee.patch(
    "contended",
    [{ op: "add", path: "/-", value: { name: "green", weight: 1 } }],
    { timeoutMs: 1500 },
  );

  burgee.wire.reset();
  expect(status).toBe(409);
  expect(json).toMatchObject({ name: "ConflictError", message: expect.stringContaining("development") });
  expect(json.details.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    "failed",
    "not attempted",
    "not attempted",
  ]);
  const { variants } = await burgee.storedEnvironment("contended", "development");
  expect(variants.map(({ name }) => name)).not.toContain("green");
  expect(variants.length).toBe(others);
});
