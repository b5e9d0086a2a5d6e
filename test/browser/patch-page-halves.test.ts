/** The page that previews a patch: a patch that stopped halfway, its steps, and what keeps it. */
import { expect, it } from "vitest";
import { strangers } from "./chromium.ts";
import { key, stopping, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const green = [{ op: "add", path: "/green", value: { weight: 0 } }];
const writeUrl = /variants\?by=\w+$/;

async function stopHalfway(): Promise<void> {
  await ui.write(stopping);
  await ui.press("Apply, and stop in production");
  await ui.expectNotices(/^The patch is half done/);
  await ui.expectSummary("Finishing would stop in production again.");
  await expectHalfDone();
}

/** The page says so, and nowhere that nothing would be written. */
async function expectHalfDone(): Promise<void> {
  const text = await ui.page.locator("body").innerText();
  expect(text).toContain("The patch is half done");
  expect(text).not.toMatch(/nothing would be written/i);
}

async function finish(): Promise<void> {
  await ui.expectEnabled("Finish it", true);
  await ui.press("Finish it");
}

/** The headers of the requests that write every environment. */
function writes(): Record<string, string>[] {
  const sent = ui.requests.filter((request) => /checkout\/variants\?by=name$/.test(request.url()));
  return sent.map((request) => request.headers());
}

it("reads as steps, says once why it stopped, and why it cannot be finished", async () => {
  const { page } = ui;
  await stopHalfway();

  await expect.poll(() => ui.outcomes()).toEqual(["patched", "patched", "failed"]);
  const steps = page.locator("#notices").getByRole("listitem");
  expect(await steps.allInnerTexts()).toEqual([
    expect.stringMatching(/^Fix production\s+Patch production alone$/),
    expect.stringMatching(/^Preview\s/),
    expect.stringMatching(/^Finish\s+Finish it\s+It would stop in production again: fix that first.$/),
  ]);
  await ui.expectEnabled("Finish it", false);
  expect(await page.getByText('there is no variant "green"').count()).toBe(1);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await ui.expectAccessible();
  }
});

it("is finished with the same key and a new ETag, once a patch of the page has removed its cause", async () => {
  const { page } = ui;
  await stopHalfway();
  await ui.press("Patch production alone");
  expect(await page.evaluate("document.activeElement.name")).toBe("text");
  await ui.write(stopping);
  await ui.expectSummary(/^The patch would fail in production.$/);
  await ui.expectNotices("Preview it first.");
  await expectHalfDone();

  await ui.write(green);
  await ui.expectSummary("The patch would change production.");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: .*\s+The patch is half done.*Fix production\s+done/s);
  await finish();

  await ui.expectNotices(/^Finished: every environment has the patch./);
  const [first, again] = writes();
  expect(again?.["idempotency-key"]).toBe(first?.["idempotency-key"]);
  expect(again?.["if-match"]).not.toBe(first?.["if-match"]);
  for (const variants of await ui.storedEverywhere()) {
    expect(variants).toMatchObject([{}, { name: "green", weight: 50 }, {}]);
  }
});

it.each([
  [
    "the server does not respond",
    async () => ui.page.route("**/*dryRun*", (route) => route.abort()),
    /^No response/,
  ],
  ["the key is wrong", async () => ui.show({ key: "wrong" }), "A valid API key is required"],
])("has no step that is done when its preview has failed as %s", async (_, fail, summary) => {
  await stopHalfway();
  await fail();

  await ui.press("Preview the half-done patch");

  await ui.expectSummary(summary);
  const steps = ui.page.locator("#notices").getByRole("listitem");
  expect(await steps.first().innerText()).toMatch(/^Fix production\s+Patch production alone$/);
  await ui.expectEnabled("Finish it", false);
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
});

it("survives a reload, without the API key", async () => {
  const { page, server } = ui;
  await stopHalfway();
  await ui.patchElsewhere("production", green);

  await page.reload();

  await ui.expectNotices(/^The patch is half done.*Enter the API key, and press Show./s);
  const storage = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  expect(storage).toContain(writes()[0]?.["idempotency-key"]);
  expect(storage).not.toContain(key);
  await ui.show({ key });
  await finish();
  await ui.expectNotices(/^Finished: every environment has the patch./);
  expect(await ui.stored("production")).toMatchObject([{}, { name: "green", weight: 50 }, {}]);
  expect(await page.evaluate("Object.values(sessionStorage)")).toContain("[]");
  expect(strangers(ui.requests, server.url)).toEqual([]);
  expect(ui.requests.map((request) => request.url()).join()).not.toContain(key);
});

it("is remembered when the page is left before the response; until it comes nothing can be changed", async () => {
  const { page } = ui;
  await ui.write(stopping);
  await page.route(writeUrl, () => {});
  await ui.press("Apply, and stop in production");
  await expect.poll(() => writes().length).toBe(1);
  for (const label of ["JSON Patch", "Project"]) {
    await page.getByLabel(label).focus();
    expect(await page.evaluate("document.activeElement.id")).toBe("result");
  }

  await page.reload();

  await ui.expectNotices(/^The patch may be half done\s+The page was left before the response./);
});

it("is finished after a response was lost, and applied once", async () => {
  const { page } = ui;
  await ui.write([{ op: "add", path: "/amber", value: { weight: 0 } }]);
  await page.route(writeUrl, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ui.press("Apply");
  await ui.expectNotices(/^The patch may be half done\s+No response/);
  await page.unroute(writeUrl);

  await ui.expectSummary("Every environment has the patch already.");
  await finish();

  await ui.expectNotices(/^Finished: every environment has the patch./);
  expect((await ui.stored("production")).map(({ name }) => name)).toEqual(["amber", "blue", "red"]);
});

it("does not lend its advice to another patch of the feature whose response is lost", async () => {
  const { page } = ui;
  await stopHalfway();
  await ui.write([{ op: "replace", path: "/blue/stickiness", value: "userId" }]);
  await ui.expectSummary("The patch would change development, staging, production.");
  await page.route(writeUrl, (route) => route.abort());

  await ui.press("Apply");

  await ui.expectNotices(/^The patch may be half done\s+No response/);
  await ui.expectSummary("Finishing would change development, staging, production.");
  expect(await page.locator("#notices").innerText()).not.toMatch(/Fix production|Undo what is done/);
});

it("can be finished until a reload where the browser's storage is denied", async () => {
  const { page } = ui;
  const denied = 'Object.defineProperty(window, "sessionStorage", { get() { throw new Error("denied") } })';
  await page.addInitScript({ content: denied });
  await page.reload();
  await ui.show({ key, feature: "checkout" });
  await stopHalfway();
  await ui.patchElsewhere("production", green);
  await ui.press("Preview the half-done patch");

  await finish();

  await ui.expectNotices(/^Finished: every environment has the patch./);
});

it("is undone instead of finished", async () => {
  const { page } = ui;
  const before = await ui.storedEverywhere();
  await page.setViewportSize({ width: 375, height: 667 });
  await stopHalfway();
  await page.reload();
  await ui.show({ key });

  await ui.press("Undo what is done");
  await ui.expectSummary("The undo would change development, staging.");
  const { y = 0, height = 0 } = (await page.getByRole("button", { name: "Undo it" }).boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y + height).toBeLessThanOrEqual(667);
  expect(await ui.outcomes()).toEqual(["will be patched", "will be patched", "unchanged"]);
  await ui.press("Undo it");

  await ui.expectNotices(/^Undone: checkout in /);
  expect(await ui.storedEverywhere()).toEqual(before);
  expect(await ui.patchText()).toEqual(stopping);
});

it("is not finished on top of a change that was not seen", async () => {
  await stopHalfway();
  await ui.patchElsewhere("production", green);
  await ui.press("Preview the half-done patch");
  await ui.expectEnabled("Finish it", true);
  await ui.patchElsewhere("production", [{ op: "replace", path: "/blue/stickiness", value: "userId" }]);

  await ui.press("Finish it");

  await ui.expectNotices(/Changed since the preview.*production.*stickiness\s+default → userId/s);
  await ui.expectNotices(/half done.*Look first at what has changed./s);
  await ui.expectEnabled("Finish it", false);
  await ui.press("I have seen it");
  await finish();
  await ui.expectNotices(/^Finished: every environment has the patch./);
});

it("shows what else changed, but not its own writes, when a write conflict stopped it", async () => {
  const { page } = ui;
  const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];
  await ui.choose({ "Variants by": "index" });
  await ui.write([{ op: "replace", path: "/0/stickiness", value: "userId" }]);
  await ui.expectSummary("would change");
  // A write between those of the request, which the local server is too fast to meet.
  await page.route(writeUrl, async (route) => {
    await ui.patchElsewhere("development", sticky);
    await ui.patchElsewhere("production", [{ op: "move", from: "/blue", path: "/navy" }]);
    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "staging", outcome: "unchanged" },
      { environment: "production", outcome: "failed", message: "Another request wrote first" },
    ];
    await route.fulfill({ status: 409, json: { message: "A write conflict in production", details } });
  });

  await ui.press("Apply");

  await ui.expectNotices(/production: \/0 was blue and is now navy.*blue\s+removed.*half done/s);
  const since = page.locator("#notices").getByRole("region");
  expect(await since.getByRole("heading").allInnerTexts()).toEqual(["production"]);
});

it("waits while a patch of another feature is applied, and can be left as it is", async () => {
  const { page } = ui;
  await stopHalfway();

  await ui.show({ feature: "search" });
  await ui.expectSummary("As it is stored");
  expect(await page.getByText("Bring back").count()).toBe(0);
  await ui.write([{ op: "move", from: "/blue", path: "/navy" }]);
  await ui.expectSummary("would change");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: .*Show the half-done patch of checkout$/s);
  expect(await ui.patchText()).toEqual([]);

  await ui.press("Show the half-done patch of checkout");
  await ui.expectSummary("Finishing would stop in production again.");
  expect(await ui.patchText()).toEqual(stopping);
  await ui.press("Leave it half done");
  expect(await page.locator("#notices").innerText()).toBe("");
  expect(await ui.patchText()).toEqual([]);
});
