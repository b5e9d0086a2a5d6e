/** `push`: what reaches an Unleash server, what is reported, and how a failure ends it. */
import { createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Variant } from "../../../../lib/contract/variants.ts";
import { listen } from "../../../support/listening.ts";
import { featureOf, projectOf, variant } from "../../../support/seed.ts";
import { done, refused, useCommandLine } from "./command-line.ts";
import { refusal, token, useUnleash } from "./unleash-server.ts";

const line = await useCommandLine();
const unleash = await useUnleash();

const to = () => ["--to", unleash.address, "--environment", "production"];
const push = (...given: string[]) => line.run("push", ...to(), ...given);
const pushed = (...given: string[]) => line.json("push", ...to(), ...given);

/** Stores these variants of production here. */
async function store(lists: Record<string, Variant[]>, project = "default"): Promise<void> {
  const features = Object.entries(lists).map(([name, production]) => {
    return featureOf(name, { development: [], production }, { project });
  });
  await line.burgee.store({ projects: [projectOf(project, "development", "production")], features });
}

const [old, blue] = [[variant("old")], [variant("blue")]];

/** Three features that differ. */
async function storeThree() {
  await store({ a: blue, b: blue, c: blue });
  for (const name of ["a", "b", "c"]) unleash.variants.set(name, old);
}

it("overwrites what differs, and nothing the second time", async () => {
  const third = (name: string, weight = 333) => variant(name, { weight });
  const rich = variant("v", {
    stickiness: "userId",
    payload: { type: "json", value: '{"a":1}' },
    overrides: [{ contextName: "userId", values: ["u1"] }],
  });
  const thirds = [third("a"), third("b", 334), third("c")];
  await store({ rich: [rich], same: blue, thirds });
  unleash.variants.set("rich", [variant("v", { payload: { type: "string", value: "x" } })]);
  // As an old version stored it.
  unleash.variants.set("same", [{ name: "blue", weight: 1000, payload: null }]);
  unleash.variants.set("thirds", [variant("a")]);

  expect(await push()).toEqual(
    done(`~ feature "rich"
    ~ environments/production/variants/v/stickiness: "default" -> "userId"
    ~ environments/production/variants/v/payload/type: "string" -> "json"
    ~ environments/production/variants/v/payload/value: "x" -> "{\\"a\\":1}"
    + environments/production/variants/v/overrides: [{"contextName":"userId","values":["u1"]}]
~ feature "thirds"
    ~ environments/production/variants/a/weight: 1000 -> 333
    + environments/production/variants/b: {"weight":334,"weightType":"variable","stickiness":"default"}
    + environments/production/variants/c: {"weight":333,"weightType":"variable","stickiness":"default"}
2 pushed, 0 failed, 0 not attempted, 1 unchanged.
`),
  );
  expect(unleash.variants.get("rich")).toEqual([rich]);
  expect(unleash.variants.get("thirds")).toEqual(thirds);
  expect(await push()).toEqual(done("0 pushed, 0 failed, 0 not attempted, 3 unchanged.\n"));
  expect(unleash.puts).toHaveLength(2);
});

it("with --dry-run pushes nothing, and with --exit-code reports differences as 3", async () => {
  await store({ checkout: blue });
  unleash.variants.set("checkout", old);
  const { code, out } = await push("--dry-run", "--exit-code");

  expect({ code, puts: unleash.puts }).toEqual({ code: 3, puts: [] });
  expect(out).toMatch(
    /\+ environments\/production\/variants\/blue: .+\nDry run, nothing was pushed: 1 differ, 0 unchanged\.\n$/,
  );
  await push();
  expect(await push("--dry-run", "--exit-code")).toEqual(
    done("Dry run, nothing was pushed: 0 differ, 1 unchanged.\n"),
  );
});

it("leaves what Unleash lacks, empties no list, and reports both", async () => {
  await store({
    archived: blue,
    elsewhere: blue,
    emptied: [],
    missing: blue,
    strategy: blue,
    uneven: [variant("a", { weight: 700 }), variant("b", { weight: 300 })],
  });
  await store({ home: blue }, "web");
  for (const name of ["emptied", "strategy", "uneven"]) unleash.variants.set(name, old);
  unleash.more = {
    features: ["archived", "elsewhere", "emptied", "strategy", "uneven"].map((name) => {
      return { name, archived: name === "archived" };
    }),
    featureStrategies: [{ featureName: "strategy", variants: blue }],
  };

  const { features, leftOut, ...counts } = await pushed();

  expect(counts).toEqual({ dryRun: false, pushed: 2, failed: 0, notAttempted: 0, unchanged: 0 });
  expect(features).toMatchObject([
    { name: "strategy", project: "default", outcome: "pushed" },
    {
      name: "uneven",
      differences: [{ path: ["environments", "production", "variants", "old"] }, { to: { weight: 500 } }, {}],
    },
  ]);
  const one = (what: string, why: string, ...which: string[]) => ({ what, why, count: which.length, which });
  expect(leftOut).toEqual([
    one("features", 'not in project "default" of Unleash', "archived", "missing"),
    one("features", 'not in environment "production" of Unleash', "elsewhere"),
    one("variants", "none here: Unleash keeps its own", "emptied"),
    one("strategies", "they differ: Unleash keeps its own", "strategy"),
    one("variants", "SDKs use a strategy's variants instead", "strategy"),
    one("weights", "Unleash divides the variable ones evenly", "uneven"),
    one("features", 'not in project "web" of Unleash', "home"),
  ]);
  expect(unleash.puts.map(({ feature }) => feature)).toEqual(["strategy", "uneven"]);
});

it("switches what differs: off before the variants, on after them; of a list that is kept, the switch alone", async () => {
  const on = (variants: Variant[]) => ({ production: { enabled: true, variants } });
  const off = (variants: Variant[]) => ({ production: { enabled: false, variants } });
  const projects = [{ id: "default", environments: ["production"] }];
  const states = { started: on(blue), stopped: off(blue), kept: on([]), same: on(blue) };
  const features = Object.entries(states).map(([name, environments]) => {
    return { name, project: "default", tags: [], environments };
  });
  await line.burgee.store({ projects, features });
  for (const name of Object.keys(states)) unleash.variants.set(name, name === "same" ? blue : old);
  for (const [name, is] of [
    ["started", false],
    ["stopped", true],
    ["kept", false],
    ["same", true],
  ] as const) {
    unleash.enabled.set(name, is);
  }

  const preview = await push("--dry-run");
  const { out } = await push();

  expect(preview.out).toContain('~ feature "kept"\n    ~ environments/production/enabled: false -> true\n');
  expect(out).toMatch(/\n3 pushed, 0 failed, 0 not attempted, 1 unchanged\.\n/);
  expect(unleash.switches).toEqual([
    "kept on after 0 puts",
    "started on after 1 puts",
    "stopped off after 1 puts",
  ]);
  expect(unleash.variants.get("kept")).toEqual(old);
  expect((await push()).out).toMatch(/^0 pushed, 0 failed, 0 not attempted, 3 unchanged\./);
});

it("says of a feature that was refused which of its parts was pushed before", async () => {
  const projects = [{ id: "default", environments: ["production"] }];
  const features = Object.entries({ started: true, stopped: false }).map(([name, enabled]) => {
    return { name, project: "default", tags: [], environments: { production: { enabled, variants: blue } } };
  });
  await line.burgee.store({ projects, features });
  for (const { name } of features) unleash.variants.set(name, old);
  unleash.enabled.set("stopped", true);
  unleash.fate = (put) => {
    if (put) unleash.fateOfSwitch = refusal(403, "no");
    return put?.feature === "stopped" ? refusal(503, "starting") : "pass";
  };
  const failed = await pushed();
  unleash.fateOfSwitch = undefined;
  const ended = await push();

  expect(failed.features).toMatchObject([
    { name: "started", message: "status 403: no; its variants were pushed before" },
    { name: "stopped", message: "status 403: no" },
  ]);
  expect(ended.err).toMatch(
    /^burgee: \S+ accepts no calls at the moment \(status 503: starting\); it was switched off before; run the command/,
  );
});

it.each([["--strict"], ["--dry-run", "--strict"], ["--dry-run", "--exit-code"]])(
  "with %s the exit code is 1 if Unleash lacks a feature",
  async (...options) => {
    await store({ checkout: blue, missing: blue });
    unleash.variants.set("checkout", old);
    unleash.more = { features: [{ name: "checkout", archived: false }] };

    const { code, out, err } = await push(...options);

    expect({ code, err }).toEqual({ code: 1, err: "burgee: 1 features cannot be pushed: missing\n" });
    expect(out).toMatch(/features +1 +not in project "default" of Unleash +missing/);
    expect(unleash.puts).toHaveLength(options.includes("--dry-run") ? 0 : 1);
  },
);

it("pushes one project alone", async () => {
  await storeThree();
  await store({ home: blue }, "web");

  expect(await push("--project", "web")).toMatchObject({ code: 0, out: expect.stringMatching(/^0 pushed/) });
  expect(unleash.received).toHaveLength(2);
  expect(await push("--project", "wb")).toEqual(refused('there is no project "wb" (did you mean "web"?)'));
});

it.each([
  [
    refusal(403, "Environment variants deprecated for feature: b. Use strategy variants instead."),
    /^Unleash accepts a feature's first variants only with UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS=true$/,
  ],
  [
    refusal(403, 'To perform this action, you need the "SKIP_CHANGE_REQUEST" permission.'),
    /^change requests protect the environment/,
  ],
  [refusal(423, "locked"), /^change requests protect the environment/],
  [
    refusal(403, 'you need the "UPDATE_FEATURE_ENVIRONMENT_VARIANTS" permission.'),
    /^status 403: you need the "UPDATE/,
  ],
  [refusal(404, "Could not find b in production"), /^status 404: Could not find b in production$/],
  [refusal(409, "conflict"), /^status 409: conflict$/],
  [refusal(500, `what ${token} sent`), /^status 500: what \.\.\. sent$/],
  [{ status: 400, body: "<html>" }, /^status 400$/],
  // A proxy that answers in place of Unleash.
  [{ status: 200, body: "<html>" }, /^status 200, but not with the variants that were sent$/],
  [{ status: 200, body: undefined }, /^status 200, but not with the variants that were sent$/],
  [{ status: 200, body: { variants: old } }, /^status 200, but not with the variants that were sent$/],
])("goes on after the response %j for one feature, and fails", async (answer, message) => {
  await storeThree();
  unleash.fate = (put) => (put?.feature === "b" ? answer : "pass");

  const { code, out, err } = await push();

  expect({ code, err }).toEqual({ code: 1, err: "burgee: 1 of 3 features were not pushed\n" });
  expect(out).toMatch(
    /\n2 pushed, 1 failed, 0 not attempted, 0 unchanged\.\n\nNOT PUSHED +WHY +WHICH\nfeatures +1 /,
  );
  const { features } = await pushed();
  expect(features).toMatchObject([{ name: "b", outcome: "failed", message: expect.stringMatching(message) }]);
  expect(out + err).not.toContain(token);
});

it.each([
  [refusal(401, "no"), "ADDRESS does not accept the token in UNLEASH_TOKEN"],
  [
    refusal(429, "slow down", { "retry-after": "30" }),
    "ADDRESS accepts no calls at the moment (status 429: slow down); it asks to wait for 30 seconds",
  ],
  [refusal(503, "starting"), "ADDRESS accepts no calls at the moment (status 503: starting)"],
  [
    "drop",
    "no response from ADDRESS (UND_ERR_SOCKET): check the address and the network; it is not known whether the variants were stored",
  ],
  [
    "hang",
    "no response from ADDRESS within 60 seconds: check the address and the network; it is not known whether the variants were stored",
  ],
] as const)(
  "ends at %j, says what was pushed, and pushes only the rest when run again",
  async (fate, message) => {
    await storeThree();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation(() => timeout(fate === "hang" ? 100 : 5000));
    onTestFinished(() => spy.mockRestore());
    unleash.fate = (put) => (put?.feature === "b" ? fate : "pass");

    const { code, out, err } = await push();

    expect({ code, err }).toEqual({
      code: 1,
      err: `burgee: ${message.replace("ADDRESS", unleash.address)}; run the command again to push the rest\n`,
    });
    expect(out).toMatch(/^~ feature "a"\n[^~]+\n1 pushed, 1 failed, 1 not attempted, 0 unchanged\.\n$/);
    unleash.fate = () => "pass";
    const { features, unchanged } = await pushed();
    expect([unchanged, features.map(({ name }: { name: string }) => name)]).toEqual([1, ["b", "c"]]);
  },
);

it("reports what was refused before the end of the run", async () => {
  await storeThree();
  unleash.fate = (put) => {
    if (!put) return "pass";
    return put.feature === "a" ? refusal(409, "locked") : refusal(503, "starting");
  };

  const { code, out } = await push();

  expect(code).toBe(1);
  expect(out).toMatch(/^0 pushed, 2 failed, 1 not attempted, 0 unchanged\.\n.+locked.+ a$/ms);
  expect(out).not.toContain("starting");
});

it.each([
  [
    { status: 200, body: { hello: "there" } },
    /^\S+ is not an Unleash server: in \/api\/admin\/projects\/default\/features \/features is required$/,
  ],
  [{ status: 200, body: undefined }, /^the response of \S+ is not JSON: /],
  [
    refusal(404, "nothing"),
    /does not serve \/api\/admin\/projects\/default\/features \(status 404: nothing\); is this the address of Unleash, without \/api\?$/,
  ],
  [refusal(403, "no"), /does not serve \S+ \(status 403: no\)$/],
])("pushes nothing where what Unleash has is %j", async (fate, message) => {
  await storeThree();
  unleash.fate = () => fate;
  const { code, out, err } = await push();

  expect({ code, out, puts: unleash.puts }).toEqual({ code: 1, out: "", puts: [] });
  expect(err.replace("burgee: ", "").trimEnd()).toMatch(message);
});

it("never takes the token to another host", async () => {
  await storeThree();
  const asked: unknown[] = [];
  const other = createServer((incoming) => asked.push(incoming.headers));
  const location = `http://127.0.0.1:${await listen(other)}/login`;
  onTestFinished(() => void other.close());
  unleash.fate = () => ({ status: 307, headers: { location } });

  expect(await push()).toEqual(
    refused(`${unleash.address} redirects to ${location}: give the address of Unleash itself`),
  );
  expect(asked).toEqual([]);
});

it.each([
  [
    "",
    ["--to", "http://u", "--environment", "e"],
    "UNLEASH_TOKEN is not set: it is the token that Unleash accepts",
  ],
  [
    "secret\nsecret",
    ["--to", "http://u", "--environment", "e"],
    "UNLEASH_TOKEN has characters that no token has",
  ],
  ["t", ["--to", "http://u", "--environment", "e", "--exit-code"], "--exit-code needs --dry-run"],
  ["t", ["--to", "http://u"], "required option '--environment <name>' not specified"],
])("with the token %j, `push %j` is wrong usage", async (given, options, message) => {
  vi.stubEnv("UNLEASH_TOKEN", given);
  const { code, err } = await line.run("push", ...options);

  expect({ code, err }).toEqual({ code: 2, err: `burgee: ${message}\n` });
});

it.each(["", "u", "ftp://u", "http://user:pass@u", "http://u?a=b"])(
  "refuses the address %j",
  async (address) => {
    const { code, err } = await line.run("push", "--to", address, "--environment", "e");

    expect(code).toBe(2);
    expect(err).toContain("An address of Unleash looks like https://unleash.example.com.");
  },
);

it("takes an address with a path", async () => {
  await storeThree();
  expect(
    await line.run("push", "--to", `${unleash.address}/base/`, "--environment", "production"),
  ).toMatchObject({
    err: expect.stringContaining("(/base/api/admin/projects/default/features)"),
  });
});
