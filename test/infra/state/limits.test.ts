/** What a state may hold is what the table can hold. */
import { describe, expect, it } from "vitest";
import { stateSchema } from "../../../infra/state/state.ts";
import { limits } from "../../../lib/contract/limits.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { times } from "../../support/patching.ts";

const faultsOf = (state: unknown) => validate(stateSchema, state).issues;
const project = (members: object) => faultsOf({ projects: [{ id: "p", environments: ["e"], ...members }] });
const feature = (members: object) =>
  faultsOf({
    projects: [{ id: "p", environments: ["e"] }],
    features: [{ name: "f", project: "p", ...members }],
  });

describe("a name", () => {
  it.each([
    ["a project", 2040, (id: string) => project({ id }), "/projects/0/id"],
    ["a feature", 2040, (name: string) => feature({ name }), "/features/0/name"],
    [
      "an environment",
      1012,
      (name: string) => project({ environments: [name] }),
      "/projects/0/environments/0",
    ],
    [
      "an API key",
      2040,
      (name: string) => faultsOf({ apiKeys: [{ name, key: "k".repeat(16) }] }),
      "/apiKeys/0/name",
    ],
  ])("of %s may have %i bytes of UTF-8, and no more", (_, most, faultsOfName, path) => {
    const message = `must have at most ${most} bytes`;

    expect(faultsOfName("x".repeat(most))).toBeUndefined();
    expect(faultsOfName("é".repeat(most / 2))).toBeUndefined();
    expect(faultsOfName("x".repeat(most + 1))).toEqual([{ path, message }]);
    expect(faultsOfName("é".repeat(most / 2 + 1))).toEqual([{ path, message }]);
  });

  it.each(["__proto__", "constructor", "prototype"])("of an environment may not be %s", (name) => {
    const message = "must not be one of __proto__, constructor, prototype";

    expect(project({ environments: [name] })).toEqual([{ path: "/projects/0/environments/0", message }]);
  });

  it("of a feature's environment is held to the same", () => {
    const path = "/features/0/environments/constructor";
    const message = "must not be one of __proto__, constructor, prototype";
    const environments = { constructor: { variants: [] } };

    expect(feature({ environments })).toEqual([{ path, message }]);
  });
});

describe("what would not fit in an item", () => {
  const message = "would not fit in a stored item (400 KB)";
  const large = "x".repeat(limits.itemBytes / 2);
  const variant = (name: string) => ({ name, weight: 500, payload: { type: "string", value: large } });

  it("is refused: the environments of a project, the tags of a feature, and its variants in an environment", () => {
    const environments = times(410, (index) => `${index}${"x".repeat(1000)}`);
    const tags = times(7_500, (index) => ({ value: `team-${index}`, type: "x".repeat(50) }));

    expect(project({ environments })).toEqual([{ path: "/projects/0/environments", message }]);
    expect(feature({ tags })).toEqual([{ path: "/features/0/tags", message }]);
    expect(feature({ environments: { e: { variants: [variant("a"), variant("b")] } } })).toEqual([
      { path: "/features/0/environments/e/variants", message },
    ]);
  });

  it("is one byte more than 400 KB", () => {
    // Each takes a byte more than its name, and their list three.
    const names = times(404, (index) => `${index}`.padEnd(1012, "x"));
    const room = limits.itemBytes - 3 - 404 * 1013 - 1;

    expect(project({ environments: [...names, "y".repeat(room)] })).toBeUndefined();
    expect(project({ environments: [...names, "y".repeat(room + 1)] })).toEqual([
      { path: "/projects/0/environments", message },
    ]);
  });

  it("is each environment by itself, not all together", () => {
    const environments = { e: { variants: [variant("a")] }, f: { variants: [variant("a")] } };

    const issues = faultsOf({
      projects: [{ id: "p", environments: ["e", "f"] }],
      features: [{ name: "f", project: "p", environments }],
    });

    expect(issues).toBeUndefined();
  });
});

describe("the permissions of a key", () => {
  it("may be a hundred, and no more", () => {
    const permissions = (count: number) =>
      times(count, (index) => ({ permission: "ADMIN", project: `p${index}` }));
    const keyWith = (count: number) =>
      faultsOf({ apiKeys: [{ name: "k", key: "k".repeat(16), permissions: permissions(count) }] });

    expect(keyWith(100)).toBeUndefined();
    expect(keyWith(101)).toEqual([
      { path: "/apiKeys/0/permissions", message: "must have at most 100 permissions" },
    ]);
  });
});
