/** Links that propose a change: read once, shown to a person with another key, and never trusted. */
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStateFile } from "../../infra/state/state-file.ts";
import { linkOfAgent } from "../support/agent.ts";
import { strangers } from "./chromium.ts";
import { key, patient, proposed, readerKey, state, usePage } from "./page.ts";

const ui = usePage("writes");

let stage: Burgee;
beforeAll(async () => {
  stage = await startBurgee({ state: await readStateFile(state) });
});
afterAll(() => stage?.stop());

it("says of a flag without environments that it has none", async () => {
  const { patch: _, ...link } = await ui.proposal();
  const page = await ui.follow({ ...link, switch: "on" });
  await page.route(/dryRun=true/, (route) =>
    route.fulfill({ headers: { etag: '"1"' }, json: { version: 1, environments: [] } }),
  );

  await ui.enter(readerKey);

  await ui.expectConfirmation(/checkout has no environments\./);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("goes from a key that only reads to one that applies exactly what was proposed, with its reason", async () => {
  await ui.openFlag("checkout", readerKey);
  await ui.writePatch(proposed);
  await ui.page.getByLabel("Why").fill("Asked by support");
  await ui.expectConfirmation(
    /This key lacks UPDATE_FEATURE_ENVIRONMENT_VARIANTS|This key lacks UPDATE_FEATURE_VARIANTS/,
  );
  await ui.page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await ui.press("Copy a link to this proposal");
  const link = await ui.page.getByLabel("To copy").inputValue();

  await ui.page.close();
  await ui.openUrl(link);
  await ui.expectConfirmation(/Enter an API key/);
  await ui.enter(key);
  await ui.expectConfirmation(
    /A proposal.*Nothing has changed since it was made\..*Asked by support.*change the stickiness of blue/s,
  );
  await ui.expectAccessible();
  await ui.confirm("Apply in every environment");
  await ui.expectConfirmation(/Applied in all 3 environments/);
  await expect
    .poll(async () => (await ui.changes()).join(), patient)
    .toMatch(/^test changed the stickiness of blue.*Asked by support/s);
  expect(ui.page.url()).toMatch(/#project=default&feature=checkout$/);

  await ui.follow(new URL(link).hash.slice(1));
  await ui.enter(key);
  await ui.expectConfirmation(
    /Nothing would change: every environment already has these values, by test, (?:\d+ seconds ago|just now): Asked by support/,
  );
  expect(await ui.page.getByRole("button", { name: /^Apply/ }).count()).toBe(0);
});

it("is not applied after a change, until it is edited", async () => {
  const link = await ui.proposal();
  await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: true }]);
  await ui.follow(link);
  await ui.enter(key);
  await ui.expectConfirmation(/has changed since this was proposed\./);
  expect(await ui.page.getByRole("button", { name: /^Apply/ }).isEnabled()).toBe(false);
  await ui.set("Percent of blue in production", "20");
  await ui.confirm("Apply in production");
});

it("of an agent is opened on a stage, and applied with a key that is entered and kept nowhere", async () => {
  await ui.page.close();
  const checkout = { project: "default", feature: "checkout" };
  await ui.openUrl(await linkOfAgent(stage.url, readerKey, { ...checkout, patch: proposed }));
  const { page } = ui;
  expect(await page.getByRole("link", { name: "API reference" }).count()).toBe(0);
  await ui.enter(key);
  await ui.expectConfirmation(/Nothing has changed since it was made\./);
  await ui.confirm("Apply in every environment");
  await ui.expectConfirmation(/Applied in all 3 environments/);
  const storage = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  expect(storage).not.toContain(key);

  await page.close();
  await ui.openUrl(
    await linkOfAgent(stage.url, readerKey, { ...checkout, environment: "production", to: "on" }),
  );
  await ui.enter(key);
  await ui.expectConfirmation(/checkout goes on in production/);
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in production/);
  expect(strangers(ui.requests, stage.url)).toEqual([]);
  expect(ui.complaints).toEqual([]);
});

it("can call no other host, even if a script were to", async () => {
  await ui.page.close();
  await ui.openUrl(`${stage.url}/patch`);
  const refused = `fetch("${ui.server.url}/patch").then(() => "sent", () => "refused")`;
  expect(await ui.page.evaluate(refused)).toBe("refused");
  expect(ui.complaints.join()).toMatch(/Content Security Policy/);
});

it("that is opened in the tab of another one is loaded on request alone", async () => {
  const page = await ui.follow(await ui.proposal());
  await ui.enter(key);
  await ui.expectConfirmation(/A proposal/);
  const patch = JSON.stringify([{ op: "replace", path: "/variants/red/stickiness", value: "sessionId" }]);
  const other = new URLSearchParams({ ...(await ui.proposal()), patch });

  await page.evaluate(`location.hash = ${JSON.stringify(String(other))}`);

  await ui.expectText("Notices", /^Another link was opened/);
  await ui.expectConfirmation(/Another link was opened\./);
  expect(await page.getByRole("button", { name: /^Apply/ }).isEnabled()).toBe(false);
  await page.getByText("As JSON").click();
  expect(await ui.patchText()).toEqual(proposed);
  await ui.press("Load the link");
  await ui.expectConfirmation(/change the stickiness of red/);
  await ui.confirm("Apply in every environment");
  await expect
    .poll(async () => (await ui.stored("production")).variants.red?.stickiness, patient)
    .toBe("sessionId");
});

it("cannot be swapped by the page that opened it, which cannot frame it either", async () => {
  const { page, server } = ui;
  const link = `${server.url}/patch#${new URLSearchParams(await ui.proposal())}`;
  const other = link.replace("userId", "sessionId");
  const attacker = "http://attacker.localhost/";
  await page.context().route(attacker, (route) => route.fulfill({ contentType: "text/html", body: "<p>" }));
  await page.goto(attacker);

  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate(`void (window.child = open(${JSON.stringify(link)}, "child"))`),
  ]);
  await popup.waitForLoadState();
  ui.page = popup;
  await ui.enter(key);
  await ui.expectConfirmation(/A proposal/);
  expect(await popup.evaluate("window.opener")).toBe(null);
  expect(await page.evaluate("window.child.closed")).toBe(true);
  await page.evaluate(`window.child.location = ${JSON.stringify(other)}`);
  // By name it reaches a window of its own.
  await page.evaluate(`void open(${JSON.stringify(other)}, "child")`);
  await popup.evaluate(`location.hash = ${JSON.stringify(other.split("#")[1])}`);
  await ui.expectText("Notices", /^Another link was opened/);
  await ui.press("Stay here");
  await ui.confirm("Apply in every environment");
  await ui.expectConfirmation(/Applied in all 3 environments/);
  expect((await ui.stored("production")).variants.blue?.stickiness).toBe("userId");
  await popup.close();

  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(link)} }))`,
  );
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain("chrome-error://chromewebdata/");
});

it("has no link if the patch would make it longer than 8,000 characters, and says so", async () => {
  await ui.openFlag();
  const payload = { type: "string", value: "x".repeat(8000) };
  await ui.writePatch([{ op: "add", path: "/variants/blue/payload", value: payload }]);
  await ui.page.getByText("more than 8000 characters").waitFor();
  expect(await ui.page.getByText("Copy a link").count()).toBe(0);
});

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a link is no proposal, and nothing of it is used,", () => {
  it.each<[string, (link: Record<string, string>) => Record<string, string> | string, string]>([
    ["without an ETag", ({ etag: _, ...others }) => others, '"etag" is missing'],
    ["with the ETag *", (link) => ({ ...link, etag: "*" }), '"etag" is not one strong ETag'],
    [
      "with a list of ETags",
      (link) => ({ ...link, etag: `${link.etag}, "abc"` }),
      '"etag" is not one strong ETag',
    ],
    ["with a weak ETag", (link) => ({ ...link, etag: `W/${link.etag}` }), '"etag" is not one strong ETag'],
    ["with two ETags", (link) => `${new URLSearchParams(link)}&etag=%22abc%22`, '"etag" is given twice'],
    [
      "with an address",
      (link) => ({ ...link, address: "https://attacker.example" }),
      '"address" is not a member of a proposal',
    ],
    [
      "with a key",
      (link) => ({ ...link, key: "a key of the attacker's" }),
      '"key" is not a member of a proposal',
    ],
    [
      "with a member that is of every object",
      (link) => `${new URLSearchParams(link)}&__proto__=1`,
      '"__proto__" is not a member of a proposal',
    ],
    ["without a feature", ({ feature: _, ...others }) => others, '"feature" is missing'],
    ["without a project", ({ project: _, ...others }) => others, '"project" is missing'],
    ["by index", (link) => ({ ...link, by: "index" }), '"by" is not a member of a proposal'],
    [
      "whose patch is empty",
      (link) => ({ ...link, patch: "[]" }),
      '"patch" is not a JSON Patch with an operation',
    ],
    [
      "whose patch is an object",
      (link) => ({ ...link, patch: '{"op":"remove","path":"/red"}' }),
      '"patch" is not a JSON Patch with an operation',
    ],
    [
      "whose patch is not JSON",
      (link) => ({ ...link, patch: "[<img src=x onerror=alert(1)>]" }),
      '"patch" is not a JSON Patch with an operation',
    ],
    [
      "whose patch is deep",
      (link) => `${new URLSearchParams(link)}`.replace(/%5B.*%5D/, nested(3500)),
      '"patch" is too large to be shown',
    ],
    [
      "whose reason is huge",
      (link) => ({ ...link, reason: "x".repeat(8000) }),
      "It has more than 8000 characters",
    ],
    [
      "that switches to something else",
      ({ patch: _, ...link }) => ({ ...link, switch: "maybe" }),
      '"switch" is neither on nor off',
    ],
    ["that patches and switches", (link) => ({ ...link, switch: "on" }), 'has both "patch" and "switch"'],
    ["that does nothing", ({ patch: _, ...link }) => link, '"patch" is missing'],
    ["whose guard has no time", (link) => ({ ...link, minutes: "1h" }), '"minutes" must be a whole number'],
    ["that is a heading's", () => "changes", '"changes" is not a member of a proposal'],
    ["that is malformed", () => "%E0%A4%A&&=&#<script>alert(1)</script>", "is not a member of a proposal"],
  ])("%s", async (_, change, issue) => {
    const page = await ui.follow(change(await ui.proposal()));

    await ui.expectText("Notices", /^The link is not a proposal/);
    expect(await ui.region("Notices").innerText()).toContain(issue);
    expect(page.url()).toBe(`${ui.server.url}/patch`);
    expect(await ui.confirmation().count()).toBe(0);
    expect(ui.complaints).toEqual([]);
    expect(ui.requests.map((request) => request.resourceType()).join()).not.toMatch(/fetch|xhr/);
  });
});

const copies = JSON.stringify(
  Array.from({ length: 25 }, (_, index) => ({ op: "copy", from: "/variants", path: `/variants/c${index}` })),
);

it.each<[string, Record<string, string>, RegExp]>([
  [
    "markup and what reorders text",
    { patch: '[{"op":"<img src=x onerror=alert(1)>","path":"\u202e/0"}]' },
    /previewed/,
  ],
  [
    "a prototype",
    { patch: '[{"op":"add","path":"/variants/__proto__","value":{"__proto__":{"weight":1}}}]' },
    /fail|previewed/,
  ],
  [
    "a path that no text can be made of",
    { patch: '[{"op":{"toString":1},"path":{"valueOf":1},"from":{"toString":1}}]' },
    /previewed/,
  ],
  ["copies of the variants into themselves", { patch: copies }, /fail/],
  ["a reason with markup", { reason: '"><img src=x onerror=alert(1)>\u202egpj' }, /Burgee-Reason must have/],
  ["a path as the environment", { environment: ".." }, /"\.\." cannot be a name in a path/],
  ["a path as the feature", { feature: "../../../patch" }, /has no feature "\.\.\/\.\.\/\.\.\/patch"/],
  ["a query as the environment", { environment: "production/variants?x=#" }, /has no environment/],
  ["markup as the feature", { feature: "<img src=x onerror=alert(1)>" }, /has no feature "<img/],
])("shows %s as text, and applies nothing", async (_, change, said) => {
  const page = await ui.follow({ ...(await ui.proposal()), ...change });
  page.on("dialog", (dialog) => ui.complaints.push(dialog.message()));
  await ui.enter(key);

  await ui.expectConfirmation(said);
  expect(await page.getByRole("button", { name: /^Apply/ }).isEnabled()).toBe(false);
  expect(await page.getByText("Nothing has changed").count()).toBe(0);
  expect(await page.locator("img").count()).toBe(0);
  expect(await page.locator("body").innerText()).not.toContain("\u202e");
  expect(ui.complaints).toEqual([]);
  expect(ui.writes()).toEqual([]);
  expect(strangers(ui.requests, ui.server.url)).toEqual([]);
});

it("shows hostile names as text that reorders nothing", async () => {
  const { browser, server } = ui;
  await ui.page.close();
  const opener = await browser.newPage();
  await opener.goto(
    `${server.url}/patch#${new URLSearchParams({ project: "default", feature: "a\u202eb" })}`,
  );
  expect(await opener.title()).toBe("Burgee: a\\u202eb");
  expect(await opener.locator("body").innerText()).not.toContain("\u202e");
  await opener.close();
  await ui.openUrl(`${server.url}/patch`);
});

it("with names that objects inherit is shown and applied as any other", async () => {
  const parameters = { rollout: "50", stickiness: "default", groupId: "g" };
  const strategy = { name: "flexibleRollout", parameters, constraints: [], variants: {} };
  const patch = [
    { op: "add", path: "/strategies/toString", value: strategy },
    { op: "add", path: "/variants/valueOf", value: { weight: 100, weightType: "fix" } },
  ];
  await ui.follow({ ...(await ui.proposal()), patch: JSON.stringify(patch) });
  await ui.enter(key);
  await ui.expectText("production", / of users get it new.*valueOf new/s);
  await ui.confirm("Apply in every environment");
  await ui.expectConfirmation(/Applied/);

  await ui.writePatch(patch.map(({ path }) => ({ op: "remove", path })));

  await ui.expectText("production", /50 % of users get it removed.*valueOf removed/s);
  expect(ui.complaints).toEqual([]);
});
