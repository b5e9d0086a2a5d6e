/** The page that previews a patch, opened by the link of a proposal: from its proposer to the person who applies it. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import {
  choose,
  developmentKey,
  everywhere,
  expectAccessible,
  expectEnabled,
  expectNotices,
  expectObstacle,
  expectSummary,
  follow,
  key,
  patchElsewhere,
  patchText,
  press,
  proposal,
  proposed,
  readerKey,
  show,
  stored,
  storedEverywhere,
  usePage,
  variant,
  write,
  writes,
} from "./patch-page.ts";

const opened = usePage("writes");

async function copiedFragment(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, "Copy a link to this proposal");
  const [address, fragment = ""] = (await page.evaluate<string>("navigator.clipboard.readText()")).split("#");
  expect(address).toBe(`${opened.server.url}/patch`);
  return fragment;
}

it("goes from a key that only reads to one that applies exactly what was proposed, with its reason", async () => {
  await show(opened.page, { key: readerKey });
  await write(opened.page, everywhere);
  await choose(opened.page, { Reason: "Zoë: 5 % is enough" });
  await expectSummary(opened.page, "The patch would change development, staging, production.");
  await expectEnabled(opened.page, "Apply", false);
  const plan = await opened.page.locator("#plan").innerText();
  expect(plan).toContain(
    "This key lacks UPDATE_FEATURE_VARIANTS, UPDATE_FEATURE_ENVIRONMENT_VARIANTS in dev",
  );
  const fragment = await copiedFragment(opened.page);
  const members = new URLSearchParams(fragment);
  expect([...members.keys()]).toEqual(["project", "feature", "by", "patch", "etag", "reason"]);
  expect(writes(opened)).toEqual([]);

  const page = await follow(opened, fragment);
  expect(page.url()).toBe(`${opened.server.url}/patch`);
  await expectNotices(page, /^A proposal\s+Zoë: 5 % is enough\s+The patch and its reason are from the link/);
  await expectSummary(page, "Enter an API key and a feature, and press Show.");
  await show(page, { key });
  await expectNotices(page, "Nothing has changed since it was made.");
  await expectSummary(page, "The patch would change development, staging, production.");
  await expectAccessible(page);
  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect(writes(opened).map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": `"${members.get("etag")}"`,
      "burgee-reason": "Zo%C3%AB: 5 %25 is enough",
    }),
  ]);
  await expect.poll(() => page.locator("#changes").innerText()).toContain("Zoë: 5 % is enough");
  expect(await stored(opened.server, "production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
});

it("for one environment needs a key for that one", async () => {
  const page = await follow(opened, await proposal(opened.server, "development"));
  await show(page, { key: developmentKey });
  await expectSummary(page, "The patch would change development.");

  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect((await storedEverywhere(opened.server)).map(([first]) => first?.stickiness)).toEqual([
    "userId",
    "default",
    "default",
  ]);
});

it("says what the key of its reader lacks", async () => {
  const page = await follow(opened, await proposal(opened.server, "production"));
  await show(page, { key: developmentKey });

  await expectSummary(page, "The patch would change production.");
  await expectObstacle(page, "This key lacks UPDATE_FEATURE_ENVIRONMENT_VARIANTS in production.");
  await expectEnabled(page, "Apply", false);
});

it("is not applied after the variants have changed, until it is edited", async () => {
  const link = await proposal(opened.server);
  await patchElsewhere(opened.server, "production", [{ op: "remove", path: "/red" }]);
  const page = await follow(opened, link);
  await show(page, { key });

  await expectObstacle(page, "The variants have changed since this was proposed.");
  await expectNotices(page, /^A proposal\s.*The variants have changed since this was proposed./s);
  await expectEnabled(page, "Apply", false);
  expect(writes(opened)).toEqual([]);
  await expectAccessible(page);

  await write(page, everywhere);
  await expectSummary(page, "The patch would stop in production");
  expect(await page.locator("#notices").innerText()).toBe("");
});

it("is not applied when the variants change between the preview and the click", async () => {
  const page = await follow(opened, await proposal(opened.server));
  await show(page, { key });
  await expectEnabled(page, "Apply", true);
  await patchElsewhere(opened.server, "production", [{ op: "remove", path: "/red" }]);
  const before = await storedEverywhere(opened.server);

  await press(page, "Apply");

  await expectNotices(page, /^Nothing was applied.*Changed since the preview.*red\s+removed.*A proposal/s);
  await press(page, "I have seen it");
  await expectObstacle(page, "The variants have changed since this was proposed.");
  await expectEnabled(page, "Apply", false);
  expect(await storedEverywhere(opened.server)).toEqual(before);
});

it("keeps to the address and the feature that its reader enters", async () => {
  const page = await follow(opened, await proposal(opened.server));
  const sent = () => opened.requests.filter((request) => /dryRun/.test(request.url()));
  await show(page, { key, address: opened.server.url.replace("127.0.0.1", "localhost") });
  // Another origin, which this server does not serve.
  await expectSummary(page, "No response from http://localhost");
  expect(await patchText(page)).toEqual(proposed);
  await show(page, { address: opened.server.url });
  await expectNotices(page, "Nothing has changed since it was made.");
  expect(sent().at(-1)?.url()).toContain(opened.server.url);

  await show(page, { feature: "search" });

  await expectSummary(page, "As it is stored");
  expect(await page.locator("#notices").innerText()).toBe("");
  expect(await page.getByLabel("Reason").inputValue()).toBe("");
});

it("cannot be swapped by the page that opened it, which cannot frame it either", async () => {
  const { page, server } = opened;
  const link = `${server.url}/patch#${new URLSearchParams(await proposal(opened.server))}`;
  const other = link.replace("userId", "sessionId");
  const attacker = "http://attacker.localhost/";
  await page.context().route(attacker, (route) => route.fulfill({ contentType: "text/html", body: "<p>" }));
  await page.goto(attacker);

  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate(`void (window.child = open(${JSON.stringify(link)}, "child"))`),
  ]);
  await popup.waitForLoadState();
  await show(popup, { key });
  await expectEnabled(popup, "Apply", true);
  expect(await popup.evaluate("window.opener")).toBe(null);
  expect(await page.evaluate("window.child.closed")).toBe(true);
  await page.evaluate(`window.child.location = ${JSON.stringify(other)}`);
  // By name it reaches a window of its own.
  await page.evaluate(`void open(${JSON.stringify(other)}, "child")`);
  await popup.evaluate(`location.hash = ${JSON.stringify(other.split("#")[1])}`);
  expect(await patchText(popup)).toEqual(proposed);
  await press(popup, "Apply");
  await expectNotices(popup, /^Applied, as previewed.$/);
  expect(await stored(server, "production")).toMatchObject([{ stickiness: "userId" }, {}]);
  await popup.close();

  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(link)} }))`,
  );
  await expect
    .poll(() => page.frames().map((frame) => frame.url()))
    .toContain("chrome-error://chromewebdata/");
});

it("has no link if the patch would make it longer than 8,000 characters, and says so", async () => {
  const { page } = opened;
  const payload = { type: "string", value: "x".repeat(8000) };
  await write(page, [{ op: "add", path: "/blue/payload", value: payload }]);
  await expectSummary(page, "would change");

  expect(await page.locator("#plan").innerText()).toContain("more than 8000 characters");
  expect(await page.getByText("Copy a link").count()).toBe(0);
  await write(page, [{ op: "add", path: "/blue/payload", value: { ...payload, value: "x".repeat(7000) } }]);
  await expectSummary(page, "would change");
  await follow(opened, await copiedFragment(page));
  await show(opened.page, { key });
  await expectNotices(opened.page, "Nothing has changed since it was made.");
  expect(await variant(opened.page, "production", 0).innerText()).toContain("x".repeat(7000));
});

/** The link that an agent gets from the MCP server, with a key that only reads. */
async function linkOfAgent(): Promise<URL> {
  const client = new Client({ name: "an agent", version: "1" });
  const { url } = opened.server;
  const args = ["dist/tools/mcp.mjs", "--url", url, "--page", `${url}/patch`];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { BURGEE_KEY: readerKey } }),
  );
  const place = { project: "default", feature: "checkout" };
  const called = { name: "preview_patch", arguments: { ...place, patch: proposed, reason: "an agent" } };
  const { structuredContent } = await client.callTool(called);
  await client.close();
  return new URL(String(Object(structuredContent).link));
}

it("is made by an agent, and applied by a person with another key", async () => {
  const { hash } = await linkOfAgent();
  expect(writes(opened)).toEqual([]);

  const page = await follow(opened, hash.slice(1));
  await show(page, { key });
  await expectNotices(page, "Nothing has changed since it was made.");
  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect((await stored(opened.server, "production"))[0]).toMatchObject({ stickiness: "userId" });
});

it("is made by an agent, and not applied after the variants have changed", async () => {
  const { hash } = await linkOfAgent();
  await patchElsewhere(opened.server, "production", [
    { op: "replace", path: "/blue/stickiness", value: "sessionId" },
  ]);

  const page = await follow(opened, hash.slice(1));
  await show(page, { key });
  await expectEnabled(page, "Apply", false);

  expect(writes(opened)).toEqual([]);
  expect((await stored(opened.server, "production"))[0]).toMatchObject({ stickiness: "sessionId" });
});
