/** `document set | get | check | remove`: what they store, print and refuse, and what the function then serves. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeDocument } from "../../../lib/documents/document.ts";
import { createReadStore } from "../../../lib/store/read-store.ts";
import { add, times } from "../../support/patching.ts";
import { featureOf, projectOf, variant } from "../../support/seed.ts";
import { misused, newFolder, refused, unconfirmed, useCommandLine } from "./command-line.ts";
import { half, lists, state } from "./exported.ts";

const line = await useCommandLine(state);
const folder = newFolder();

const of = (as: string, environment = "production") =>
  `--as ${as} --project default --environment ${environment}`;
const set = (as: string, content: unknown) =>
  line.run(`document set ${folder.file("document.json", content)} ${of(as)} --yes`);

async function load(as: string, headers: Record<string, string> = {}) {
  const name = as === "flagd" ? "flagd.json" : "client/features";
  const path = `/api/projects/default/environments/production/${name}`;
  return line.burgee.send({ method: "GET", path, headers });
}

const isShop = { "==": [{ var: "shop" }, "eu"] };
const flags = {
  checkout: {
    state: "ENABLED",
    variants: { blue: "blue", green: "green", off: "off" },
    defaultVariant: "off",
    targeting: {
      if: [
        isShop,
        {
          fractional: [
            ["blue", 1],
            ["green", 1],
          ],
        },
      ],
    },
  },
  own: { state: "DISABLED", variants: { on: true }, defaultVariant: "on" },
};
const forFlagd = { flags, metadata: { owner: "shop" } };

const strategies = [{ name: "flexibleRollout", parameters: { rollout: "50" }, constraints: [] }];
const forUnleash = {
  version: 1,
  segments: [{ id: 1, constraints: [] }],
  features: [
    { name: "checkout", enabled: true, strategies, variants: [half("blue"), half("gone")] },
    { name: "theirs", enabled: true, strategies: [] },
  ],
};

it.each([
  ["flagd", forFlagd],
  ["unleash", forUnleash],
])(
  "the document for %s that is served is the stored one with Burgee's variants, as export --into makes it",
  async (as, given) => {
    const file = folder.file("given.json", given);
    const exported = await line.run(
      `export --as ${as} --project default --environment production --into ${file}`,
    );

    const { code, out } = await set(as, given);

    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`Stored the document for ${as} in environment "production"`),
    ]);
    const { json, headers } = await load(as);
    expect(json).toEqual(JSON.parse(exported.out));
    expect(Number(headers["burgee-left-out"])).toBeGreaterThan(0);
    expect((await line.run(`document get ${of(as)}`)).out).toBe(`${readFileSync(file, "utf8")}\n`);
  },
);

it("what has no place stays as it is, is reported and counted, and a list is never emptied", async () => {
  const { out } = await set("unleash", forUnleash);

  expect(out).toContain("NOT AS STORED");
  expect(out).toMatch(/^features +4 {2}the file lacks them +banner, constant, empty, and 1 more$/m);
  expect(out).toMatch(/^variants +1 {2}the feature lacks them: they are removed +checkout: gone$/m);
  const why = "not in Burgee, in this project and environment: they stay as the file has them";
  expect(out).toMatch(new RegExp(`^features +1  ${why} +theirs$`, "m"));
  const checked = await line.json(`document check ${of("unleash")}`);
  const counts = checked.leftOut.map(({ what, count }: { what: string; count: number }) => [what, count]);
  expect([checked.isStored, counts]).toEqual([
    true,
    [
      ["features", 4],
      ["variants", 1],
      ["features", 1],
    ],
  ]);
  expect((await line.run(`document check ${of("unleash")}`)).code).toBe(1);
  const { headers, json } = await load("unleash");
  // A variant that was removed is as in Burgee.
  expect(headers["burgee-left-out"]).toBe("5");
  expect(json.features[1]).toEqual(forUnleash.features[1]);
});

it("a change is served with the stored rest, and the rest with the variants once it is set again", async () => {
  await set("unleash", forUnleash);
  const before = await load("unleash");
  await line.burgee.patch("checkout", [add("/-", { name: "amber", weight: 0 })]);
  const after = await load("unleash", { "if-none-match": before.headers.etag ?? "" });
  const [checkout] = forUnleash.features;
  await set("unleash", { ...forUnleash, features: [{ ...checkout, impressionData: true }] });
  const again = await load("unleash", { "if-none-match": after.headers.etag ?? "" });

  expect(after.json.features[0]).toMatchObject({ enabled: true, strategies });
  expect(after.json.features[0].variants.map(({ name }: { name: string }) => name)).toContain("amber");
  expect(again.json.features).toMatchObject([{ name: "checkout", impressionData: true }]);
});

it("a document with null for what is absent, as of an old Unleash Edge, is stored and served", async () => {
  const features = [
    {
      name: "checkout",
      enabled: true,
      type: null,
      strategies: [{ ...strategies[0], variants: null }],
      variants: null,
    },
    { name: "constant", enabled: true, strategies: null, variants: null },
    { name: "theirs", enabled: true, strategies: null, variants: null },
  ];

  const { code, err } = await set("unleash", { version: 2, features, segments: null, query: null });

  expect([code, err]).toEqual([0, ""]);
  const expected = features.map((one) => ({ ...one, variants: lists[one.name] ?? null }));
  expect((await load("unleash")).json).toEqual({
    version: 2,
    features: expected,
    segments: null,
    query: null,
  });
});

it.each(["flagd", "unleash"])(
  "in %s the switch of Burgee counts: where the document says otherwise, set and check name the feature",
  async (as) => {
    const off = { state: "DISABLED", variants: { on: true }, defaultVariant: "on" };
    const features = [{ name: "checkout", enabled: false, strategies }];
    const { out } = await set(as, as === "flagd" ? { flags: { checkout: off } } : { version: 1, features });
    const isOn = async () => {
      const { json } = await load(as);
      return as === "flagd" ? json.flags.checkout.state : json.features[0].enabled;
    };
    const before = await isOn();
    const checked = await line.run(`document check ${of(as)}`);
    const path = "/api/admin/projects/default/features/checkout/environments/production/off";
    await line.burgee.send({ method: "POST", path });

    const named = /^enabled +1 {2}it is on in Burgee, which counts +checkout$/m;
    expect(out).toMatch(named);
    expect(checked.out).toMatch(named);
    expect([before, await isOn()]).toEqual(as === "flagd" ? ["ENABLED", "DISABLED"] : [true, false]);
    expect((await line.run(`document check ${of(as)}`)).out).not.toMatch(/^enabled/m);
  },
);

it("numbers are served as the document has them", async () => {
  const text = '{"flags":{"own":{"variants":{"on":9007199254740993,"off":1.0}}},"metadata":{"huge":1e400}}';
  await set("flagd", Buffer.from(text));
  const subject = { format: "flagd", project: "default", environment: "production" } as const;

  const { json } = await makeDocument(createReadStore(line.burgee.session), subject);

  expect(json).toBe(text);
});

it.each([
  ["by tabs", '{\n\t"flags": {},\n\t"own": "a\\tb"\n}\n'],
  ["by line ends of Windows", '{\r\n  "flags": {}\r\n}\r\n'],
])("get prints a document that is laid out %s as JSON", async (_, text) => {
  await set("flagd", Buffer.from(text));

  const { out } = await line.run(`document get ${of("flagd")}`);

  expect(out).toBe(text.replaceAll("\r", ""));
});

it("is removed once it was confirmed; then a feature that is on is on for everyone again", async () => {
  await set("flagd", forFlagd);

  expect(await line.run(`document remove ${of("flagd")}`)).toEqual(unconfirmed);
  const removed = await line.run(`document remove ${of("flagd")} --yes`);

  const where = 'flagd in environment "production" of project "default"';
  expect(removed).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Removed the document for ${where}`),
  });
  expect(Object.keys((await load("flagd")).json.flags)).toEqual([
    "banner",
    "checkout",
    "constant",
    "rate-limit",
  ]);
  for (const what of ["get", "remove --yes"]) {
    expect(await line.run(`document ${what} ${of("flagd")}`)).toEqual(
      refused(`no document is stored for ${where}`),
    );
  }
});

it("check reports what flagd has nothing to serve of, with the exit code that its help names", async () => {
  const { out, code } = await line.run(`document check ${of("flagd")}`);
  const help = (await line.run("document check --help")).out.replaceAll(/\s+/g, " ");

  expect(out).toMatch(/^No document is stored .+: a feature that is on is on for everyone\.$/m);
  expect(out).toMatch(/^features +1 {2}without variants +empty$/m);
  expect((await load("flagd")).json.flags).not.toHaveProperty("empty");
  expect(code).toBe(0);
  expect(help).toContain("It stays 0 for a feature of which flagd has nothing to serve");
});

it("outlives its project, and can be removed then", async () => {
  await set("flagd", forFlagd);
  const without = folder.file("empty.json", { projects: [], features: [] });
  expect((await line.run(`apply ${without} --prune --yes`)).code).toBe(0);

  expect((await line.run(`document get ${of("flagd")}`)).out).toBe(`${JSON.stringify(forFlagd)}\n`);
  expect((await line.run(`document remove ${of("flagd")} --yes`)).code).toBe(0);

  expect(await line.run(`document get ${of("flagd")}`)).toMatchObject({
    code: 1,
    err: /no project "default"/,
  });
});

it("a document is of one format, environment and project: others are served without it", async () => {
  await line.burgee.store({
    projects: [projectOf("default#production", "x")],
    features: [featureOf("f", { x: [variant("v")] }, { project: "default#production" })],
  });
  await set("flagd", { flags: {} });

  expect((await load("unleash")).json.features).toHaveLength(Object.keys(lists).length);
  expect((await load("flagd")).json.flags).toEqual({});
  const { json } = await line.burgee.send({
    method: "GET",
    path: "/api/projects/default/environments/development/flagd.json",
  });
  expect(Object.keys(json.flags)).toEqual(["early"]);
});

const deep = (levels: number) =>
  Buffer.from(`{"flags":{},"deep":${"[".repeat(levels)}${"]".repeat(levels)}}`);
const is = (problem: string) => expect.stringMatching(new RegExp(`^burgee: \\S+document\\.json ${problem}`));

it.each([
  ["deep", deep(100_000), is("is nested deeper than 1000 levels")],
  ["huge", Buffer.from(`{"flags":{},"large":"${"x".repeat(8 * 1024 ** 2)}"}`), is("is larger than 8 MiB")],
  [
    "huge even when it is compressed",
    { flags: {}, noise: randomBytes(400_000).toString("hex") },
    expect.stringMatching(/^burgee: \S+document\.json has \d+ KiB when it is compressed, more than 380 KiB/),
  ],
  ["no object", [], is("is not a document of flagd's flags: / must be an object")],
  ["of flags in a list", { flags: [] }, is("is not .*: /flags must be an object")],
  ["with a null as a flag", { flags: { a: null } }, is("is not .*: /flags/a must be an object")],
  ["with a list of variants", { flags: { a: { variants: [] } } }, is("is not .*: /flags/a/variants must be")],
  [
    "with __proto__",
    Buffer.from('{"flags":{"__proto__":{"variants":{}}}}'),
    is("has a member with the forbidden"),
  ],
  [
    "with a constructor",
    { flags: { a: { variants: { constructor: 1 } } } },
    is("has a member with the forbidden"),
  ],
  ["no JSON", Buffer.from("{"), is("is not JSON")],
  ["not UTF-8", Buffer.from([0x7b, 0xff]), is("is not JSON")],
])("refuses a document that is %s, and keeps the one before it", async (_, given, err) => {
  await set("flagd", forFlagd);

  expect(await set("flagd", given)).toEqual({ code: 1, out: "", err });

  expect((await load("flagd")).json.metadata).toEqual({ owner: "shop" });
});

it("serves a document with odd targeting as it is", async () => {
  const targetings = [
    null,
    5,
    "a",
    [],
    {},
    { if: null },
    { fractional: "x" },
    { if: [{ if: [] }] },
    deepRule(400),
  ];
  const odd = targetings.map((targeting, index) => [
    `odd-${index}`,
    { variants: {}, targeting, state: "ENABLED" },
  ]);
  const own = Object.fromEntries(
    times(odd.length, (index) => [`odd-${index}`, { production: [variant("v")] }]),
  );
  await line.burgee.store({
    features: Object.entries(own).map(([name, environments]) =>
      featureOf(name, environments, { enabled: true }),
    ),
    projects: state.projects,
  });
  const document = { flags: Object.fromEntries(odd) };

  expect((await set("flagd", document)).code).toBe(0);

  expect((await load("flagd")).json).toEqual(document);
});

function deepRule(levels: number): unknown {
  return levels === 0 ? "v" : { if: [true, deepRule(levels - 1)] };
}

it("a long text of many escapes is stored and served as it is", async () => {
  const text = JSON.stringify({ flags: {}, text: "1\n".repeat(2_700_000), number: 1 }).replace(/1}$/, "1.0}");
  const { code, err } = await set("flagd", Buffer.from(text));
  const subject = { format: "flagd", project: "default", environment: "production" } as const;

  const { json } = await makeDocument(createReadStore(line.burgee.session), subject);

  const note = "Note: the document has more than 6 MB: clients that do not accept gzip get a 400.\n";
  expect([code, err, json === text]).toEqual([0, note, true]);
});

it("a large document of many flags is stored, and served with gzip", async () => {
  const many = times(30_000, (index) => [`flag-${index}`, { state: "ENABLED", variants: { on: true } }]);
  const { code } = await set("flagd", { flags: Object.fromEntries(many) });

  const { status, json } = await load("flagd", { "accept-encoding": "gzip" });

  expect([code, status, Object.keys(json.flags).length]).toEqual([0, 200, 30_000]);
});

it.each([
  [
    "document get --project default --environment production",
    "required option '--as <format>' not specified",
  ],
  [
    `document get ${of("yaml")}`,
    "option '--as <format>' argument 'yaml' is invalid. Allowed choices are flagd, unleash.",
  ],
])("%s is used wrongly", async (typed, message) => {
  expect(await line.run(typed)).toEqual(misused(message));
});

it("refuses a project or an environment that does not exist", async () => {
  expect(await line.run(`document get ${of("flagd", "producton")}`)).toEqual(
    refused('there is no environment "producton" in project "default" (did you mean "production"?)'),
  );
});
