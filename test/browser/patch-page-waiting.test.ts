/** The page that previews a patch: what it shows while it waits, after an outage, and after a reload. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { everywhere, key, stopping, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const writeUrl = /variants\?by=\w+$/;

/** Holds requests back until the returned function is called. */
async function hold(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
}

function focused(): Promise<string> {
  return ui.page.evaluate("document.activeElement.id || document.activeElement.tagName");
}

const bar = () => ui.page.locator("#result");

it("says at once that a preview is under way, and nothing that was true of the patch before it", async () => {
  await ui.expectSummary("As it is stored");
  const release = await hold(ui.page, "**/*dryRun*");

  await ui.write(everywhere);

  expect(await bar().innerText()).toBe("Previewing...");
  expect(await bar().getAttribute("aria-busy")).toBe("true");
  await ui.expectEnabled("Apply", false);
  await release();
  await ui.expectSummary("The patch would change development, staging, production.");
  expect(await bar().getAttribute("aria-busy")).toBe("false");
});

it("has the focus on what it does and then on what came of it, and no button to press meanwhile", async () => {
  const { page } = ui;
  await ui.write(everywhere);
  await ui.expectSummary("would change");
  const release = await hold(page, writeUrl);

  await ui.press("Apply");

  expect(await bar().innerText()).toBe("Applying...");
  expect(await focused()).toBe("result");
  await ui.expectEnabled("Apply", false);
  await release();
  await ui.expectNotices(/^Applied: checkout in /);
  expect(await focused()).toBe("ARTICLE");
  await ui.expectSummary("As it is stored");
  expect(await focused()).toBe("ARTICLE");
});

it("can try again after an outage, with the same patch", async () => {
  const { page } = ui;
  await page.route("**/*dryRun*", (route) => route.abort());
  await ui.write(stopping);
  await ui.expectSummary(/^No response/);
  await ui.expectAccessible();
  await page.unroute("**/*dryRun*");

  await ui.press("Try again");

  expect(await focused()).toBe("result");
  await ui.expectSummary("The patch would stop in production");
  expect(await ui.patchText()).toEqual(stopping);
  expect(await page.getByText("Try again").count()).toBe(0);
});

it.each([
  ["the server is overloaded", 503, 1],
  ["the patch is not valid", 400, 0],
])("offers to try again where that may help: %s", async (_, status, count) => {
  const { page } = ui;
  await page.route("**/*dryRun*", (route) => route.fulfill({ status, json: { message: "No" } }));
  await ui.write(stopping);

  await ui.expectSummary(/^No/);
  expect(await page.getByText("Try again").count()).toBe(count);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("has the focus on the verdict when the button that was pressed is gone", async () => {
  await ui.write(stopping);
  await ui.expectSummary("would stop");

  await ui.press("Delete operation 1");

  expect(await focused()).toBe("result");
});

it("keeps the patch that is being written, and its reason, in the tab", async () => {
  const { page } = ui;
  await ui.choose({ "Variants by": "index", Environment: "production" });
  await ui.write(everywhere);
  await ui.choose({ Reason: "asked by support" });

  await page.reload();

  expect(await ui.patchText()).toEqual(everywhere);
  expect(await page.getByLabel("Reason").inputValue()).toBe("asked by support");
  expect(await page.getByLabel("Variants by").inputValue()).toBe("index");
  expect(await page.locator("[name=environment]").inputValue()).toBe("production");
  expect(await page.locator("[name=feature]").inputValue()).toBe("checkout");
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain(key);
  await ui.show({ key });
  await ui.expectSummary("would");
});
