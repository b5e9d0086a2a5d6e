/** Draws bodies that are valid, nearly so, or made to break something. */
import fc from "fast-check";
import { formatPointer } from "../../lib/contract/json.ts";
import { aspects } from "../../lib/features/model.ts";
import { tag, value } from "../support/arbitraries.ts";
import { bombs, literals } from "./hostile.ts";

const plain = { noNullPrototype: true };

const some = fc.constantFrom("team", "simple", "t1", "t2");
const tags = fc.array(fc.oneof(fc.record({ type: some, value: some }, plain), tag), { maxLength: 6 });
const update = fc.record({ addedTags: tags, removedTags: tags }, plain);

const text = fc.constantFrom("default", "userId", "string", "x", "{}", "[1]", "[");
const name = fc.constantFrom("blue", "green", "red", "amber", "a.b", "~c", "caf\u00e9", "");
const nameless = fc.record(
  {
    weight: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(-1, 0.5, 1001)),
    weightType: fc.constantFrom("variable", "variable", "fix", "other"),
    stickiness: text,
    payload: fc.record({ type: fc.constantFrom("json", "string"), value: text }, plain),
    overrides: fc.array(fc.record({ contextName: text, values: fc.array(text, { maxLength: 3 }) }, plain)),
  },
  { requiredKeys: ["weight"], ...plain },
);
const variant = fc.tuple(name, nameless).map(([name, rest]) => ({ name, ...rest }));

const index = fc.constantFrom("0", "0", "0", "1", "1", "2", "-", "01", "length", "9999999999");
const member = fc.constantFrom("name", "weight", "weightType", "stickiness", "payload", "overrides");
const inside = fc.constantFrom("value", "type", "0", "-", "values", "contextName", "__proto__", "toString");

/** A patch of a tree whose variants are found by this key. */
function patchOf(key: fc.Arbitrary<string>, one: fc.Arbitrary<object>): fc.Arbitrary<object[]> {
  const pointer = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom("", "/", "//", "~2", "0", "/constructor/prototype") },
    { weight: 6, arbitrary: key.map((at) => formatPointer([at])) },
    { weight: 6, arbitrary: fc.tuple(key, member).map(formatPointer) },
    { weight: 2, arbitrary: fc.tuple(key, member, inside, inside).map(formatPointer) },
  );
  const content = fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 2, arbitrary: fc.oneof(text, fc.integer({ min: 0, max: 1000 })) },
    { weight: 1, arbitrary: value },
  );
  const op = fc.constantFrom("add", "remove", "replace", "replace", "copy", "move", "test");
  const addition = fc
    .tuple(fc.oneof(fc.constant("-"), key), one)
    .map(([at, added]) => ({ op: "add", path: formatPointer([at]), value: added }));
  return fc.array(
    fc.oneof(addition, fc.record({ op, path: pointer, from: pointer, value: content }, plain)),
    {
      maxLength: 6,
    },
  );
}

const id = fc.constantFrom("s1", "s1", "s2", "s3", "a.b", "");
const users = fc.array(text, { maxLength: 3 });
const constraint = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom<object>(
      { contextName: "userId", operator: "IN", values: ["1", "2"] },
      { contextName: "version", operator: "SEMVER_GT", value: "1.0.0" },
      { contextName: "age", operator: "NUM_GTE", value: "18", inverted: true },
    ),
  },
  fc.record(
    {
      contextName: text,
      operator: fc.constantFrom("IN", "STR_CONTAINS", "NUM_GT", "SEMVER_EQ", "DATE_AFTER", "OTHER"),
      values: users,
      value: fc.constantFrom("1", "1.0.0", "2026-01-01T00:00:00Z", "x"),
    },
    { requiredKeys: ["contextName", "operator"], ...plain },
  ),
);
const rarely = <Value>(usual: readonly Value[], odd: readonly Value[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...odd));
const strategyMembers = {
  name: rarely(["default", "userWithId", "custom"], ["flexibleRollout", ""]),
  parameters: rarely<object>(
    [{ rollout: "25" }, { userIds: "1,2" }, {}],
    [{ rollout: "101" }, { rollout: 1 }],
  ),
  constraints: fc.array(constraint, { maxLength: 2 }),
  sortOrder: rarely([0, 1], [-1, 0.5]),
  disabled: fc.boolean(),
  segments: rarely<number[]>([[]], [[1]]),
};
const optional = { requiredKeys: ["name"] as "name"[], ...plain };
const byName = fc.array(fc.tuple(name, nameless), { maxLength: 2 }).map((all) => Object.fromEntries(all));
const strategyInPatch = fc.record({ ...strategyMembers, variants: byName }, optional);
const strategy = fc.record(
  {
    ...strategyMembers,
    id,
    variants: fc.oneof(
      { weight: 4, arbitrary: fc.constant<object[]>([]) },
      fc.array(variant, { maxLength: 2 }),
    ),
  },
  optional,
);
const strategyPatch = fc.oneof(
  patchOf(fc.constantFrom("name", "parameters", "constraints", "sortOrder", "disabled"), strategyInPatch),
  fc
    .constantFrom("0", "100", "200", "NaN")
    .map((value) => [{ op: "add", path: "/parameters/rollout", value }]),
);
/** A patch, at a member of the environment. */
const within = (patch: fc.Arbitrary<object[]>, member: string) =>
  patch.map((operations) =>
    operations.map((one) =>
      Object.fromEntries(
        Object.entries(one).map(([key, given]) =>
          key === "path" || key === "from" ? [key, `/${member}${given}`] : [key, given],
        ),
      ),
    ),
  );
const targeting = fc.constantFrom<unknown>(
  { targeting: { if: [{ "==": [{ var: "email" }, "a"] }, "blue", null] }, defaultVariant: "blue" },
  { defaultVariant: "none" },
  { variants: { blue: 1, green: 2 }, defaultVariant: "blue" },
  null,
  {},
);
const parents = fc.constantFrom<unknown>([{ feature: "Target" }], [{ feature: "target" }], [{}], []);
const environmentPatch = fc
  .array(
    fc.oneof(
      fc.boolean().map((value) => [{ op: "replace", path: "/enabled", value }]),
      within(patchOf(name, nameless), "variants"),
      within(patchOf(id, strategyInPatch), "strategies"),
      targeting.map((value) => [{ op: "add", path: "/targeting", value }]),
      parents.map((value) => [{ op: "add", path: "/dependencies", value }]),
      patchOf(fc.constantFrom(...aspects, "other"), nameless),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((patches) => patches.flat());
const newFeature = fc.record(
  {
    name: fc.oneof(
      { weight: 4, arbitrary: fc.nat().map((number) => `new-${number}`) },
      fc.constantFrom("target", "Target", "a b", "\u00e9", ""),
    ),
    description: value,
    type: value,
  },
  { requiredKeys: ["name"], ...plain },
);

const right = {
  environment: environmentPatch,
  strategy,
  "strategy patch": strategyPatch,
  feature: newFeature,
  trip: fc.constant({}),
  switch: fc.constant({}),
  undo: fc.constant({}),
  read: fc.constant({}),
  tags: update,
  variants: patchOf(index, variant),
  "variants by name": patchOf(name, nameless),
};

export type BodyKind = keyof typeof right;

/** Replaces a few values and names of members by hostile ones. */
const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...literals)), { minLength: 1, maxLength: 3 });
function change(json: string, [at, literal]: readonly [number, string]): string {
  const scalars = [...json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\[\]|\{\}/g)];
  const chosen = scalars[at % scalars.length];
  if (!chosen) return literal;
  return json.slice(0, chosen.index) + literal + json.slice(chosen.index + chosen[0].length);
}

const size = fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(999, 1001, 30_000, 130_000, 262_144));
const bomb = fc
  .tuple(fc.constantFrom(...Object.values(bombs)), size)
  .map(([make, count]) => make(count).slice(0, 300_000));

/** Mostly the body of a tag update, or of a patch. */
export function bodyFor(kind: BodyKind): fc.Arbitrary<string | Uint8Array> {
  const json = fc.oneof<fc.Arbitrary<object>[]>(right[kind]).map((body) => JSON.stringify(body));
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 5, arbitrary: fc.tuple(json, changes).map(([body, each]) => each.reduce(change, body)) },
    { weight: 1, arbitrary: fc.oneof(update, right.variants).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: bomb },
    { weight: 1, arbitrary: fc.constantFrom("", ...literals) },
  );
}
