/** The page that previews a patch: applying it, and finishing one that stopped halfway. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChromium } from "./chromium.ts";
import {
  byName,
  environment,
  expectAccessible,
  expectSummary,
  key,
  type Opened,
  openPage,
  outcomes,
  patchElsewhere,
  patchText,
  show,
  state,
  stopping,
  stored,
  write,
} from "./patch-page.ts";

let browser: Browser;
let opened: Opened;
/** Requests that write. */
let writes: Request[];
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  opened = await openPage(browser);
  writes = [];
  opened.page.on("request", (request) => {
    if (request.method() === "PATCH" && !request.url().includes("dryRun")) writes.push(request);
  });
});
afterEach(() => opened.close());

const green = [{ op: "add", path: "/-", value: { name: "green", weight: 0 } }];

async function stopHalfway(): Promise<void> {
  const { page } = opened;
  await write(page, stopping);
  await page.getByRole("button", { name: "Apply, and stop in production" }).click();
  await half().waitFor();
}

function half() {
  return opened.page.getByRole("article", { name: /half done/ });
}

function finish() {
  return opened.page.getByRole("button", { name: "Finish it" });
}

async function expectNotices(...texts: (string | RegExp)[]): Promise<void> {
  const expected = texts.map((text) => expect.stringMatching(text));
  await expect
    .poll(() => opened.page.getByRole("article").allInnerTexts(), { timeout: 10_000 })
    .toEqual(expected);
}

it("sends the ETag of the preview and an idempotency key, and shows what is stored then", async () => {
  const { page } = opened;
  await page.getByLabel("Variants by").selectOption("name");
  await write(page, byName);

  await page.getByRole("button", { name: "Apply" }).click();

  await expectNotices("Applied, as previewed.");
  expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
  expect(writes.map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": expect.stringMatching(/^"[\w-]+"$/),
      "idempotency-key": expect.stringMatching(/^page-\w+$/),
    }),
  ]);
  expect(await patchText(page)).toEqual([]);
  await expectSummary(page, "As it is stored");
  expect(await environment(page, "production").getByRole("listitem").last().innerText()).toMatch(
    /red\s+fix\s+50/,
  );
});

it("is not ready to apply what is not previewed yet", async () => {
  const { page } = opened;
  await write(page, [{ op: "remove", path: "/0" }]);
  await expectSummary(page, "would change");
  await page.route("**/*dryRun*", () => {});

  await write(page, [{ op: "remove", path: "/1" }]);

  expect(await page.getByRole("button", { name: "Apply" }).isEnabled()).toBe(false);
});

it("cannot be changed while it is being written, nor can the feature", async () => {
  const { page } = opened;
  await write(page, stopping);
  let respond = () => {};
  const responding = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route(/variants\?by=index$/, async (route) => {
    await responding;
    await route.continue();
  });
  await page.getByRole("button", { name: "Apply, and stop in production" }).click();
  await expect.poll(() => writes.length).toBe(1);

  for (const label of ["JSON Patch", "Project"]) {
    await page.getByLabel(label).focus();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
  }
  respond();
  await half().waitFor();
  await page.getByLabel("Project").focus();
  expect(await page.evaluate("document.activeElement.name")).toBe("project");
});

it("says that it may be half done when the response says that the outcome is not known", async () => {
  const { page } = opened;
  await write(page, stopping);
  const message = "It is not known whether the write was stored";
  const details = [{ environment: "development", outcome: "failed", message }];
  await page.route(/variants\?by=index$/, (route) =>
    route.fulfill({ status: 409, json: { message, details } }),
  );

  await page.getByRole("button", { name: "Apply, and stop in production" }).click();

  await expectNotices(/The patch may be half done/);
});

describe("a patch that stopped halfway", () => {
  it("is drawn with what is patched, failed and not attempted", async () => {
    const { page } = opened;
    await patchElsewhere(opened.server, "staging", [{ op: "remove", path: "/2" }]);
    await write(page, stopping);
    await page.getByRole("button", { name: "Apply, and stop in staging" }).click();

    await half().waitFor();

    await expect.poll(() => outcomes(page)).toEqual(["patched", "failed", "not attempted"]);
    await expectSummary(page, "The patch would fail in staging; nothing would be written.");
    expect(await finish().isEnabled()).toBe(false);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  });

  it("is finished at a click, once a patch of the page has removed its cause", async () => {
    const { page, server } = opened;
    await stopHalfway();
    await page.getByLabel("Environment").selectOption("production");
    await write(page, green);
    await expectSummary(page, "The patch would change production.");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => finish().isEnabled(), { timeout: 10_000 }).toBe(true);

    await finish().click();

    await expectNotices("Finished: every environment has the patch.");
    const [first, , again] = writes;
    expect(again?.headers()["idempotency-key"]).toBe(first?.headers()["idempotency-key"]);
    expect(again?.headers()["if-match"]).not.toBe(first?.headers()["if-match"]);
    for (const name of ["development", "staging", "production"]) {
      expect(await stored(server, name)).toMatchObject([{ weight: 475 }, { weight: 475 }, { weight: 50 }]);
    }
  });

  it("is finished once another client has removed its cause", async () => {
    await stopHalfway();
    await patchElsewhere(opened.server, "production", green);

    await opened.page.getByRole("button", { name: "Preview the half-done patch" }).click();
    await expect.poll(() => finish().isEnabled()).toBe(true);
    await finish().click();

    await expectNotices("Finished: every environment has the patch.");
    expect(await stored(opened.server, "production")).toMatchObject([{}, {}, { name: "red", weight: 50 }]);
  });

  it("is not finished on top of a change that the page has not shown, which it shows first", async () => {
    const { server } = opened;
    await stopHalfway();
    await patchElsewhere(server, "production", green);
    await opened.page.getByRole("button", { name: "Preview the half-done patch" }).click();
    await expect.poll(() => finish().isEnabled()).toBe(true);
    await patchElsewhere(server, "production", [{ op: "replace", path: "/0/stickiness", value: "userId" }]);

    await finish().click();

    await expectNotices(
      /half done.*have changed.*Changed since the preview.*production.*stickiness\s+none → userId/s,
    );
    await expect.poll(() => finish().isEnabled()).toBe(true);
    await finish().click();
    await expectNotices("Finished: every environment has the patch.");
  });

  it("shows what else changed, but not its own writes, when a write conflict stopped it", async () => {
    const { page, server } = opened;
    await write(page, [{ op: "replace", path: "/0/stickiness", value: "userId" }]);
    await expectSummary(page, "would change");
    // A write between those of the request, which the local server is too fast to meet.
    await page.route(/variants\?by=index$/, async (route) => {
      await patchElsewhere(server, "development", [
        { op: "replace", path: "/0/stickiness", value: "userId" },
      ]);
      await patchElsewhere(server, "production", [{ op: "replace", path: "/0/name", value: "navy" }]);
      const details = [
        { environment: "development", outcome: "patched" },
        { environment: "staging", outcome: "unchanged" },
        { environment: "production", outcome: "failed", message: "Another request wrote first" },
      ];
      await route.fulfill({ status: 409, json: { message: "A write conflict in production", details } });
    });

    await page.getByRole("button", { name: "Apply" }).click();

    await expectNotices(/half done.*Changed since the preview.*production.*blue\s+removed.*navy\s+added/s);
    const since = half().getByRole("region");
    expect(await since.getByRole("heading").allInnerTexts()).toEqual(["production"]);
  });

  it("is not reopened by applying a patch of another feature", async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "state.json");
    const { features, ...others } = JSON.parse(readFileSync(state, "utf8"));
    const search = { ...features[0], name: "search" };
    writeFileSync(file, JSON.stringify({ ...others, features: [...features, search] }));
    await opened.close();
    opened = await openPage(browser, { stateFile: file });
    const { page } = opened;
    await stopHalfway();

    await show(page, { key, feature: "search" });
    await write(page, [{ op: "replace", path: "/0/name", value: "navy" }]);
    await expectSummary(page, "would change");
    await page.getByRole("button", { name: "Apply" }).click();

    await expectNotices("Applied, as previewed.");
    expect(await page.getByRole("textbox", { name: "Feature" }).inputValue()).toBe("search");
    expect(await patchText(page)).toEqual([]);
    await page.getByRole("button", { name: "Preview the half-done patch of checkout" }).click();
    await expectSummary(page, "The patch would fail in production");
    expect(await patchText(page)).toEqual(stopping);
  });

  it("is finished after a response was lost, and applied once", async () => {
    const { page, server } = opened;
    await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 0 } }]);
    await page.route(/variants\?by=index$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Apply" }).click();
    await half().waitFor();
    await page.unroute(/variants\?by=index$/);

    await expect.poll(() => outcomes(page)).toEqual(["patched", "patched", "patched"]);
    await finish().click();

    await expectNotices("Finished: every environment has the patch.");
    expect((await stored(server, "production")).map(({ name }) => name)).toEqual(["amber", "blue", "red"]);
  });

  it("can be left as it is", async () => {
    await stopHalfway();

    await opened.page.getByRole("button", { name: "Leave it half done" }).click();

    expect(await half().count()).toBe(0);
    expect(await opened.page.getByRole("button", { name: /half/ }).count()).toBe(0);
  });
});

describe("a conflict", () => {
  it("writes nothing, shows what changed since the preview, and previews on top of it", async () => {
    const { page, server } = opened;
    await write(page, [{ op: "remove", path: "/1" }]);
    await expectSummary(page, "would change");
    await patchElsewhere(server, "staging", [{ op: "replace", path: "/0/name", value: "navy" }]);

    await page.getByRole("button", { name: "Apply" }).click();

    await expectNotices(
      /nothing was written\s+Changed since the preview.*staging.*blue\s+removed.*navy\s+added/s,
    );
    expect(await patchText(page)).toEqual([{ op: "remove", path: "/1" }]);
    expect(await stored(server, "development")).toHaveLength(3);
    await expect.poll(() => page.getByRole("button", { name: "Apply" }).isEnabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Apply" }).click();
    await expectNotices("Applied, as previewed.");
  });
});
