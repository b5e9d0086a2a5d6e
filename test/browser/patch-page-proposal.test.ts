/** The page that previews a patch, opened by the link of a proposal: from its proposer to the person who applies it. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { linkOfAgent } from "../support/agent.ts";
import { developmentKey, everywhere, key, proposed, readerKey, switcherKey, usePage } from "./patch-page.ts";

const ui = usePage("writes");

async function copiedFragment(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ui.press("Copy a link to this proposal");
  const [address, fragment = ""] = (await page.evaluate<string>("navigator.clipboard.readText()")).split("#");
  expect(address).toBe(`${ui.server.url}/patch`);
  return fragment;
}

it("goes from a key that only reads to one that applies exactly what was proposed, with its reason", async () => {
  await ui.show({ key: readerKey });
  await ui.write(everywhere);
  await ui.choose({ Reason: "Zoë: 5 % is enough" });
  await ui.expectSummary("The patch would change development, staging, production.");
  await ui.expectEnabled("Apply", false);
  const plan = await ui.page.locator("#plan").innerText();
  expect(plan).toContain(
    "This key lacks UPDATE_FEATURE_VARIANTS, UPDATE_FEATURE_ENVIRONMENT_VARIANTS in dev",
  );
  const fragment = await copiedFragment(ui.page);
  const members = new URLSearchParams(fragment);
  expect([...members.keys()]).toEqual(["project", "feature", "by", "patch", "etag", "reason"]);
  expect(ui.writes()).toEqual([]);

  const page = await ui.follow(fragment);
  expect(page.url()).toBe(`${ui.server.url}/patch#project=default&feature=checkout`);
  await ui.expectNotices(/^A proposal\s+Zoë: 5 % is enough\s+The patch and its reason are from the link/);
  await ui.expectSummary("Enter an API key and a feature, and press Show.");
  await page.reload();
  await ui.show({ key });
  await ui.expectNotices("Nothing has changed since it was made.");
  await ui.expectSummary("The patch would change development, staging, production.");
  await ui.expectAccessible();
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  expect(ui.writes().map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": `"${members.get("etag")}"`,
      "burgee-reason": "Zo%C3%AB: 5 %25 is enough",
    }),
  ]);
  await expect.poll(() => page.locator("#changes").innerText()).toContain("Zoë: 5 % is enough");
  expect(await page.getByLabel("Reason").inputValue()).toBe("");
  expect(await ui.stored("production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
});

type Edit = { environment?: string } & ({ patch: typeof proposed } | { to: "on" | "off" });

/** Follows the link that an agent gets from the MCP server, with a key that only reads. */
async function followAgent(edit: Edit): Promise<void> {
  const place = { project: "default", feature: "checkout" };
  const link = await linkOfAgent(ui.server.url, readerKey, { ...place, ...edit });
  const [page, fragment = ""] = link.split("#");
  expect(page).toBe(`${ui.server.url}/patch`);
  await ui.follow(fragment);
}

it("of an agent, for one environment, is applied by a person with a key for that one", async () => {
  await followAgent({ patch: proposed, environment: "development" });
  await ui.show({ key: developmentKey });
  await ui.expectSummary("The patch would change development.");

  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  const stored = await ui.storedEverywhere();
  expect(stored.map(([first]) => first?.stickiness)).toEqual(["userId", "default", "default"]);
});

it("of an agent, to switch a feature, opens the feature and is applied by a person with another key", async () => {
  await followAgent({ to: "on", environment: "production" });
  await ui.expectNotices(/^A proposal\s+an agent\s+The switch and its reason are from the link/);
  await ui.show({ key: switcherKey });
  await ui.expectNotices("Nothing has changed since it was made.");
  await ui.expectSummary("checkout would go on in production.");
  await ui.expectAccessible();
  expect(await ui.enabledIn()).toEqual([]);

  await ui.press("Switch on");

  await ui.expectNotices(/^Switched on: checkout in production/);
  expect(await ui.enabledIn()).toEqual(["production"]);
});

it("is not applied after the variants have changed, until it is edited", async () => {
  await followAgent({ patch: proposed });
  await ui.patchElsewhere("production", [{ op: "remove", path: "/red" }]);
  await ui.show({ key });

  await ui.expectObstacle("The variants have changed since this was proposed.");
  await ui.expectNotices(/^A proposal\s.*The variants have changed since this was proposed./s);
  await ui.expectEnabled("Apply", false);
  expect(ui.writes()).toEqual([]);
  await ui.expectAccessible();

  await ui.write(everywhere);
  await ui.expectSummary("The patch would stop in production");
  expect(await ui.page.locator("#notices").innerText()).toBe("");
});

it("is not applied when the variants change between the preview and the click", async () => {
  await ui.follow(await ui.proposal());
  await ui.show({ key });
  await ui.expectEnabled("Apply", true);
  await ui.patchElsewhere("production", [{ op: "remove", path: "/red" }]);
  const before = await ui.storedEverywhere();

  await ui.press("Apply");

  await ui.expectNotices(/^Nothing was applied.*Changed since the preview.*red\s+removed.*A proposal/s);
  await ui.press("I have seen it");
  await ui.expectObstacle("The variants have changed since this was proposed.");
  await ui.expectEnabled("Apply", false);
  expect(await ui.storedEverywhere()).toEqual(before);
});

it("is for its own feature", async () => {
  const page = await ui.follow(await ui.proposal());
  await ui.show({ key });
  await ui.expectNotices("Nothing has changed since it was made.");
  expect(await ui.patchText()).toEqual(proposed);

  await ui.show({ feature: "search" });

  await ui.expectSummary("As it is stored");
  expect(await page.locator("#notices").innerText()).toBe("");
  expect(await page.getByLabel("Reason").inputValue()).toBe("");
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
  await ui.show({ key });
  await ui.expectEnabled("Apply", true);
  expect(await popup.evaluate("window.opener")).toBe(null);
  expect(await page.evaluate("window.child.closed")).toBe(true);
  await page.evaluate(`window.child.location = ${JSON.stringify(other)}`);
  // By name it reaches a window of its own.
  await page.evaluate(`void open(${JSON.stringify(other)}, "child")`);
  await popup.evaluate(`location.hash = ${JSON.stringify(other.split("#")[1])}`);
  await ui.expectNotices(/^Another link was opened/);
  expect(await ui.patchText()).toEqual(proposed);
  await ui.expectEnabled("Apply", false);
  await ui.expectObstacle("Another link was opened.");
  await ui.press("Stay here");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in /);
  expect(await ui.stored("production")).toMatchObject([{ stickiness: "userId" }, {}]);
  await popup.close();

  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(link)} }))`,
  );
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain("chrome-error://chromewebdata/");
});

it("has no link if the patch would make it longer than 8,000 characters, and says so", async () => {
  const { page } = ui;
  const payload = { type: "string", value: "x".repeat(8000) };
  await ui.write([{ op: "add", path: "/blue/payload", value: payload }]);
  await ui.expectSummary("would change");

  expect(await page.locator("#plan").innerText()).toContain("more than 8000 characters");
  expect(await page.getByText("Copy a link").count()).toBe(0);
});
