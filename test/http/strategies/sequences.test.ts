/** Random patches of an environment: each is refused or valid, and undone newest first they leave what was there. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature, variant } from "../../support/seed.ts";

const burgee = useBurgee();

const token = fc.constantFrom(
  ...[
    "enabled",
    "variants",
    "strategies",
    "targeting",
    "dependencies",
    "a",
    "b",
    "s1",
    "s2",
    "0",
    "-",
    "weight",
    "weightType",
  ],
  ...["constraints", "parameters", "rollout", "sortOrder", "values", "name", "if", "defaultVariant", "title"],
);
const strategyPaths = [
  "",
  "/variants",
  "/variants/a",
  "/constraints/0",
  "/constraints/0/values/-",
  "/sortOrder",
  "/title",
];
const path = fc.oneof(
  fc.array(token, { maxLength: 5 }).map((tokens) => tokens.map((one) => `/${one}`).join("")),
  fc
    .tuple(fc.constantFrom("s1", "s2"), fc.constantFrom(...strategyPaths))
    .map(([id, rest]) => `/strategies/${id}${rest}`),
  fc.constantFrom("/enabled", "/variants/a", "/variants/b", "/targeting", "/targeting/targeting/if/0", ""),
);
const constraint = fc.record({
  contextName: fc.constantFrom("plan", "", "a.b"),
  operator: fc.constantFrom("IN", "NUM_GT", "SEMVER_EQ", "REGEX", "IS"),
  values: fc.array(fc.string(), { maxLength: 3 }),
  value: fc.constantFrom("1", "x", "1.2.3", "\ud800"),
});
const strategy = fc.record(
  {
    name: fc.constantFrom("default", "flexibleRollout", ""),
    parameters: fc.dictionary(
      fc.constantFrom("rollout", "groupId", "__proto__"),
      fc.constantFrom("25", "x", 5),
    ),
    constraints: fc.array(constraint, { maxLength: 2 }),
    variants: fc.dictionary(
      fc.constantFrom("a", "b", "a b"),
      fc.record({ weight: fc.constantFrom(0, 500, 1001), weightType: fc.constantFrom("fix", "variable") }),
    ),
    sortOrder: fc.constantFrom(0, 5, -1, 1e9),
    title: fc.string(),
  },
  { requiredKeys: ["name"] },
);
const targeting = fc.record(
  {
    targeting: fc.dictionary(fc.constantFrom("if", "in"), fc.jsonValue({ maxDepth: 3 })),
    defaultVariant: fc.constantFrom("a", null, 1),
  },
  { requiredKeys: [] },
);
const value = fc.oneof(
  { weight: 4, arbitrary: strategy },
  targeting,
  fc.boolean(),
  fc.record({ weight: fc.constantFrom(0, 300) }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom("x", 5, 0, null, -0),
);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom("add", "replace"), path, value }),
  fc.record({ op: fc.constant("remove"), path }),
  fc.record({ op: fc.constantFrom("copy", "move"), from: path, path }),
);
const usual = fc.constantFrom(
  {
    op: "add",
    path: "/strategies/s1",
    value: {
      name: "flexibleRollout",
      parameters: { rollout: "25" },
      variants: { a: { weight: 0 }, b: { weight: 0 } },
    },
  },
  {
    op: "add",
    path: "/strategies/s2",
    value: { name: "default", constraints: [{ contextName: "plan", operator: "IN", values: ["pro"] }] },
  },
  { op: "add", path: "/targeting", value: { targeting: { if: [{ var: "x" }, "a"] } } },
  { op: "add", path: "/variants/b", value: { weight: 1 } },
  { op: "replace", path: "/enabled", value: true },
  { op: "add", path: "/dependencies", value: [{ feature: "parent" }, { feature: "other", enabled: false }] },
  { op: "remove", path: "/dependencies/0" },
);
const patches = fc.array(
  fc.array(fc.oneof({ weight: 3, arbitrary: usual }, operation), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 6 },
);

it("are refused or valid, and undone newest first they leave what was there", async () => {
  const counts = { 200: 0, 400: 0 };
  await fc.assert(
    fc.asyncProperty(patches, async (sequence) => {
      const feature = await addFeature(burgee, { environments: { production: [variant("a")] } });
      const place = { environment: "production" };
      const contentNow = async () => {
        const { tags, ...rest } = (await burgee.getFeature(feature)).json;
        return rest.environments.map(({ etag, ...content }: { etag: string }) => content);
      };
      const states = [await contentNow()];
      const changes: string[] = [];
      for (const patch of sequence) {
        const preview = await burgee.patchFeature(feature, patch, { ...place, dryRun: true });
        const { status, headers, json } = await burgee.patchFeature(feature, patch, place);
        expect([200, 400]).toContain(status);
        counts[status as 200]++;
        if (status !== 200 || headers["burgee-change"] === undefined) continue;
        const { outcome, difference, moves, hint, ...planned } = preview.json.environments[0];
        expect(planned).toEqual(json.environments[0]);
        // The difference makes the change again.
        const before = states.at(-1);
        states.push(await contentNow());
        changes.push(headers["burgee-change"]);
        expect(difference.length).toBeGreaterThan(0);
        const undone = await burgee.undo(feature, headers["burgee-change"], place);
        expect([undone.status, await contentNow()]).toEqual([200, before]);
        const again = await burgee.patchFeature(feature, difference, place);
        expect([again.status, await contentNow()]).toEqual([200, states.at(-1)]);
        changes[changes.length - 1] = again.headers["burgee-change"] ?? "";
      }
      for (const path of ["client/features", "flagd.json"]) {
        const document = await burgee.send({
          method: "GET",
          path: `/api/projects/default/environments/production/${path}`,
        });
        expect(document.status).toBe(200);
      }
      while (changes.length > 0) {
        const { status } = await burgee.undo(feature, changes.pop() ?? "", place);
        states.pop();
        expect([status, await contentNow()]).toEqual([200, states.at(-1)]);
      }
    }),
    { numRuns: 50 },
  );
  expect(counts[200]).toBeGreaterThan(25);
}, 120_000);
