/** The page that previews a patch: a patch that stopped halfway, its steps, and what keeps it. */
import { expect, it } from "vitest";
import { strangers } from "./chromium.ts";
import {
  choose,
  expectAccessible,
  expectEnabled,
  expectNotices,
  expectSummary,
  key,
  outcomes,
  patchElsewhere,
  patchText,
  press,
  show,
  stopping,
  stored,
  storedEverywhere,
  usePage,
  write,
} from "./patch-page.ts";

const opened = usePage("writes");
const green = [{ op: "add", path: "/green", value: { weight: 0 } }];
const writeUrl = /variants\?by=\w+$/;

async function stopHalfway(): Promise<void> {
  const { page } = opened;
  await write(page, stopping);
  await press(page, "Apply, and stop in production");
  await expectNotices(page, /^The patch is half done/);
  await expectSummary(page, "Finishing would stop in production again.");
  await expectHalfDone();
}

/** The page says so, and nowhere that nothing would be written. */
async function expectHalfDone(): Promise<void> {
  const text = await opened.page.locator("body").innerText();
  expect(text).toContain("The patch is half done");
  expect(text).not.toMatch(/nothing would be written/i);
}

async function finish(): Promise<void> {
  await expectEnabled(opened.page, "Finish it", true);
  await press(opened.page, "Finish it");
}

/** The headers of the requests that write every environment. */
function writes(): Record<string, string>[] {
  const sent = opened.requests.filter((request) => /checkout\/variants\?by=name$/.test(request.url()));
  return sent.map((request) => request.headers());
}

it("reads as steps, says once why it stopped, and why it cannot be finished", async () => {
  const { page } = opened;
  await stopHalfway();

  await expect.poll(() => outcomes(page)).toEqual(["patched", "patched", "failed"]);
  const steps = page.locator("#notices").getByRole("listitem");
  expect(await steps.allInnerTexts()).toEqual([
    expect.stringMatching(/^Fix production\s+Patch production alone$/),
    expect.stringMatching(/^Preview\s/),
    expect.stringMatching(/^Finish\s+Finish it\s+It would stop in production again: fix that first.$/),
  ]);
  await expectEnabled(page, "Finish it", false);
  expect(await page.getByText('there is no variant "green"').count()).toBe(1);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
});

it("is finished with the same key and a new ETag, once a patch of the page has removed its cause", async () => {
  const { page, server } = opened;
  await stopHalfway();
  await press(page, "Patch production alone");
  expect(await page.evaluate("document.activeElement.name")).toBe("text");
  await write(page, stopping);
  await expectSummary(page, /^The patch would fail in production.$/);
  await expectNotices(page, "Preview it first.");
  await expectHalfDone();

  await write(page, green);
  await expectSummary(page, "The patch would change production.");
  await press(page, "Apply");
  await expectNotices(page, /^Applied, as previewed.\s+The patch is half done.*Fix production\s+done/s);
  await finish();

  await expectNotices(page, /^Finished: every environment has the patch.$/);
  const [first, again] = writes();
  expect(again?.["idempotency-key"]).toBe(first?.["idempotency-key"]);
  expect(again?.["if-match"]).not.toBe(first?.["if-match"]);
  for (const variants of await storedEverywhere(server)) {
    expect(variants).toMatchObject([{}, { name: "green", weight: 50 }, {}]);
  }
});

it("survives a reload, without the API key", async () => {
  const { page, server } = opened;
  await stopHalfway();
  await patchElsewhere(server, "production", green);

  await page.reload();

  await expectNotices(page, /^The patch is half done.*Enter the API key, and press Show./s);
  const storage = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  expect(storage).toContain(writes()[0]?.["idempotency-key"]);
  expect(storage).not.toContain(key);
  await show(page, { key });
  await finish();
  await expectNotices(page, /^Finished: every environment has the patch.$/);
  expect(await stored(server, "production")).toMatchObject([{}, { name: "green", weight: 50 }, {}]);
  expect(await page.evaluate("sessionStorage.length && Object.values(sessionStorage)")).toEqual(["[]"]);
  expect(strangers(opened.requests, server.url)).toEqual([]);
  expect(opened.requests.map((request) => request.url()).join()).not.toContain(key);
});

it("is remembered when the page is left before the response; until it comes nothing can be changed", async () => {
  const { page } = opened;
  await write(page, stopping);
  await page.route(writeUrl, () => {});
  await press(page, "Apply, and stop in production");
  await expect.poll(() => writes().length).toBe(1);
  for (const label of ["JSON Patch", "Project"]) {
    await page.getByLabel(label).focus();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
  }

  await page.reload();

  await expectNotices(page, /^The patch may be half done\s+The page was left before the response./);
});

it("is finished after a response was lost, and applied once", async () => {
  const { page, server } = opened;
  await write(page, [{ op: "add", path: "/amber", value: { weight: 0 } }]);
  await page.route(writeUrl, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await press(page, "Apply");
  await expectNotices(page, /^The patch may be half done\s+No response/);
  await page.unroute(writeUrl);

  await expectSummary(page, "Every environment has the patch already.");
  await finish();

  await expectNotices(page, /^Finished: every environment has the patch.$/);
  expect((await stored(server, "production")).map(({ name }) => name)).toEqual(["amber", "blue", "red"]);
});

it("does not lend its advice to another patch of the feature whose response is lost", async () => {
  const { page } = opened;
  await stopHalfway();
  await write(page, [{ op: "replace", path: "/blue/stickiness", value: "userId" }]);
  await expectSummary(page, "The patch would change development, staging, production.");
  await page.route(writeUrl, (route) => route.abort());

  await press(page, "Apply");

  await expectNotices(page, /^The patch may be half done\s+No response/);
  await expectSummary(page, "Finishing would change development, staging, production.");
  expect(await page.locator("#notices").innerText()).not.toMatch(/Fix production|Undo what is done/);
});

it.each([
  ["denied", 'Object.defineProperty(window, "sessionStorage", { get() { throw new Error("denied") } })'],
  ["full", 'Storage.prototype.setItem = () => { throw new Error("full") }'],
])("can be finished until a reload where the browser's storage is %s", async (_, content) => {
  const { page, server } = opened;
  await page.addInitScript({ content });
  await page.reload();
  await show(page, { key, feature: "checkout" });
  await stopHalfway();
  await patchElsewhere(server, "production", green);
  await press(page, "Preview the half-done patch");

  await finish();

  await expectNotices(page, /^Finished: every environment has the patch.$/);
});

it("is undone instead of finished", async () => {
  const { page, server } = opened;
  const before = await storedEverywhere(server);
  await page.setViewportSize({ width: 375, height: 667 });
  await stopHalfway();
  await page.reload();
  await show(page, { key });

  await press(page, "Undo what is done");
  await expectSummary(page, "The undo would change development, staging.");
  const { y = 0, height = 0 } = (await page.getByRole("button", { name: "Undo it" }).boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y + height).toBeLessThanOrEqual(667);
  expect(await outcomes(page)).toEqual(["will be patched", "will be patched", "unchanged"]);
  await press(page, "Undo it");

  await expectNotices(page, /^Undone, as previewed.$/);
  expect(await storedEverywhere(server)).toEqual(before);
  expect(await patchText(page)).toEqual(stopping);
});

it("is not finished on top of a change that was not seen", async () => {
  const { page, server } = opened;
  await stopHalfway();
  await patchElsewhere(server, "production", green);
  await press(page, "Preview the half-done patch");
  await expectEnabled(page, "Finish it", true);
  await patchElsewhere(server, "production", [{ op: "replace", path: "/blue/stickiness", value: "userId" }]);

  await press(page, "Finish it");

  await expectNotices(page, /Changed since the preview.*production.*stickiness\s+default → userId/s);
  await expectNotices(page, /half done.*Look first at what has changed./s);
  await expectEnabled(page, "Finish it", false);
  await press(page, "I have seen it");
  await finish();
  await expectNotices(page, /^Finished: every environment has the patch.$/);
});

it("shows what else changed, but not its own writes, when a write conflict stopped it", async () => {
  const { page, server } = opened;
  const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];
  await choose(page, { "Variants by": "index" });
  await write(page, [{ op: "replace", path: "/0/stickiness", value: "userId" }]);
  await expectSummary(page, "would change");
  // A write between those of the request, which the local server is too fast to meet.
  await page.route(writeUrl, async (route) => {
    await patchElsewhere(server, "development", sticky);
    await patchElsewhere(server, "production", [{ op: "move", from: "/blue", path: "/navy" }]);
    const details = [
      { environment: "development", outcome: "patched" },
      { environment: "staging", outcome: "unchanged" },
      { environment: "production", outcome: "failed", message: "Another request wrote first" },
    ];
    await route.fulfill({ status: 409, json: { message: "A write conflict in production", details } });
  });

  await press(page, "Apply");

  await expectNotices(page, /production: \/0 was blue and is now navy.*blue\s+removed.*half done/s);
  const since = page.locator("#notices").getByRole("region");
  expect(await since.getByRole("heading").allInnerTexts()).toEqual(["production"]);
});

it("waits while a patch of another feature is applied, and can be left as it is", async () => {
  const { page } = opened;
  await stopHalfway();

  await show(page, { feature: "search" });
  await expectSummary(page, "As it is stored");
  expect(await page.getByText("Bring back").count()).toBe(0);
  await write(page, [{ op: "move", from: "/blue", path: "/navy" }]);
  await expectSummary(page, "would change");
  await press(page, "Apply");
  await expectNotices(page, /^Applied, as previewed.\s+Show the half-done patch of checkout$/);
  expect(await patchText(page)).toEqual([]);

  await press(page, "Show the half-done patch of checkout");
  await expectSummary(page, "Finishing would stop in production again.");
  expect(await patchText(page)).toEqual(stopping);
  await press(page, "Leave it half done");
  expect(await page.locator("#notices").innerText()).toBe("");
  expect(await patchText(page)).toEqual([]);
});
