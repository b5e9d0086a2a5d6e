/** The reference page in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import { openChromium } from "./chromium.ts";

let browser: Browser;
let server: LocalServer;
let page: Page;
/** Of every request of the page, to whatever host; and what the page complained of. */
let requests: URL[];
let complaints: string[];

beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  server = await startServer();
  page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  requests = [];
  complaints = [];
  page.on("request", (request) => requests.push(new URL(request.url())));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", ({ message }) => complaints.push(message));
  await page.goto(server.url);
});
afterEach(async () => {
  await page.close();
  await server.kill();
});

it("shows every operation, and asks no other host for anything", async () => {
  await expect.poll(() => page.locator(".opblock").count()).toBe(6);

  expect(await page.title()).toBe("Burgee: API reference");
  expect(await page.locator(".opblock-summary-method").allInnerTexts()).toEqual([
    ...["GET", "PUT"],
    ...["GET", "PATCH"],
    ...["GET", "PATCH"],
  ]);
  await page.waitForLoadState("networkidle");
  expectOnlyThisServer();
});

it.each([
  { operation: "listTags", status: "200", answer: { tags: [{ type: "simple", value: "team-a" }] } },
  { operation: "updateTags", status: "201", answer: { tags: [{ type: "simple", value: "team-b" }] } },
  {
    operation: "patchFeatureVariants",
    status: "200",
    answer: { variants: [{ name: "blue", stickiness: "userId" }, { name: "green" }] },
  },
  {
    operation: "getEnvironmentFeatureVariants",
    status: "200",
    answer: { variants: [{ name: "blue", weight: 500 }, { name: "green" }] },
  },
  {
    operation: "patchEnvironmentsFeatureVariants",
    status: "200",
    answer: { variants: [{ name: "blue", stickiness: "userId" }, { name: "green" }] },
  },
])("sends $operation at a click, with the demo key, and shows the answer", async (expected) => {
  const block = page.locator(`[id$="${expected.operation}"]`);
  await block.locator(".opblock-summary-control").click();

  await block.getByRole("button", { name: "Execute" }).click();

  const live = block.locator(".live-responses-table");
  await live.waitFor();
  expect(await live.locator(".response-col_status").last().innerText()).toContain(expected.status);
  const body = await live.locator(".highlight-code code").first().innerText();
  expect(JSON.parse(body)).toMatchObject({ version: 1, ...expected.answer });
  expectOnlyThisServer();
});

function expectOnlyThisServer(): void {
  const { host } = new URL(server.url);
  expect(requests.length).toBeGreaterThan(3);
  // A data URL has no host: it is asked of nobody.
  expect(requests.filter((url) => url.protocol !== "data:" && url.host !== host)).toEqual([]);
  expect(complaints).toEqual([]);
}
