/** How many calls to DynamoDB a request makes: each costs time and money. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Burgee, useBurgee } from "../support/burgee.ts";

const state = {
  projects: [{ id: "default", environments: ["development", "staging", "production"] }],
  features: [{ name: "checkout", project: "default", tags: [{ type: "simple", value: "team-a" }] }],
};
const tags = { addedTags: [{ type: "simple", value: "team-b" }], removedTags: [] };

const addVariant = (name: string) => [{ op: "add", path: "/-", value: { name, weight: 1 } }];
const operations = ({ wire }: Burgee) => wire.calls.map(({ operation }) => operation);

describe("with a key that the sandbox knows", () => {
  const burgee = useBurgee(state);

  beforeAll(async () => {
    await burgee.putTags("checkout", tags);
    await burgee.patch("checkout", []);
  });

  it("a tag update is one call", async () => {
    await burgee.putTags("checkout", tags);

    expect(operations(burgee)).toEqual(["UpdateItem"]);
  });

  it("a tag update that asks for nothing reads, and writes nothing", async () => {
    await burgee.putTags("checkout", { addedTags: [], removedTags: [] });

    expect(operations(burgee)).toEqual(["GetItem"]);
  });

  it("a variant patch reads once and writes once for each environment that changes", async () => {
    await burgee.patch("checkout", addVariant("blue"));

    expect(operations(burgee)).toEqual(["Query", "UpdateItem", "UpdateItem", "UpdateItem"]);
  });

  it("an environment that the patch leaves as it was is not written", async () => {
    await burgee.store({
      projects: state.projects,
      features: [
        {
          name: "half",
          project: "default",
          environments: {
            development: { variants: [{ name: "blue", weight: 1000 }] },
            production: { variants: [{ name: "blue", weight: 1000, stickiness: "userId" }] },
          },
        },
      ],
    });

    await burgee.patch("half", [{ op: "replace", path: "/0/stickiness", value: "userId" }]);

    expect(operations(burgee)).toEqual(["Query", "UpdateItem"]);
  });

  it("a patch refused in the first environment writes nothing", async () => {
    await burgee.patch("checkout", [{ op: "remove", path: "/99" }]);

    expect(operations(burgee)).toEqual(["Query"]);
  });

  it("reads are consistent, so a caller sees what was acknowledged a moment ago", async () => {
    await burgee.patch("checkout", []);

    expect(burgee.wire.calls.map(({ input }) => input.ConsistentRead)).toEqual([true]);
  });
});

describe("with a key that the sandbox does not know", () => {
  const burgee = useBurgee(state, { KEY_CACHE_SECONDS: "0" });

  it("a tag update is two calls", async () => {
    await burgee.putTags("checkout", tags);

    expect(operations(burgee)).toEqual(["GetItem", "UpdateItem"]);
  });

  it("a variant patch looks the key up before it reads the feature", async () => {
    await burgee.patch("checkout", addVariant("green"));

    expect(operations(burgee)).toEqual(["GetItem", "Query", "UpdateItem", "UpdateItem", "UpdateItem"]);
  });

  it("an unknown key reads nothing but itself", async () => {
    await burgee.putTags("checkout", tags, { key: "unknown" });
    await burgee.patch("checkout", [], { key: "unknown" });

    expect(operations(burgee)).toEqual(["GetItem", "GetItem"]);
  });

  it("a request without a key makes no call", async () => {
    await burgee.putTags("checkout", tags, { key: null });
    await burgee.patch("checkout", [], { key: null });

    expect(operations(burgee)).toEqual([]);
  });
});

describe("a feature whose environments fill more than one page of a query", () => {
  const burgee = useBurgee();

  it("is read whole", async () => {
    const environments = ["development", "integration", "staging", "production"];
    const value = "x".repeat(350_000);
    const variants = [{ name: "blue", weight: 1000, payload: { type: "string", value } }];
    await burgee.store({
      projects: [{ id: "default", environments }],
      features: [
        {
          name: "large",
          project: "default",
          environments: Object.fromEntries(environments.map((environment) => [environment, { variants }])),
        },
      ],
    });

    const { status, json } = await burgee.patch("large", [{ op: "remove", path: "/0/payload" }]);

    expect(status).toBe(200);
    expect(json.variants).toEqual([
      { name: "blue", weight: 1000, weightType: "variable", stickiness: "default" },
    ]);
    for (const environment of environments) {
      expect((await burgee.storedEnvironment("large", environment)).variants).toEqual(json.variants);
    }
  });
});
