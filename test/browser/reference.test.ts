/** The reference page in a real browser. */
import type { BrowserContext, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import { type OpenedPage, openAt, openChromium, strangers, viewport } from "./chromium.ts";

let browser: BrowserContext;
let server: LocalServer;
let opened: OpenedPage;

beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  server = await startServer();
  opened = await openAt(browser, server.url);
});
afterEach(async () => {
  const { page, requests, complaints } = opened;
  // Playwright's "networkidle" waits forever for a request whose end Chromium does not report.
  await expect.poll(() => sentWithinHalfASecond(requests)).toBe(0);
  expect(requests.length).toBeGreaterThan(3);
  expect(strangers(requests, server.url)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
  await server.kill();
});

it("shows every operation, and opens with two sentences and a first call, which is right for this server", async () => {
  const { page } = opened;
  await expect.poll(() => page.locator(".opblock").count()).toBe(32);
  const description = page.locator(".info .description");
  const call = (await description.locator("pre").innerText()).trim();

  expect(await page.title()).toBe("Burgee: API reference");
  expect((await description.locator("p").first().innerText()).match(/\.(?= |$)/g)).toHaveLength(2);
  const [, url = "", key = "", answer = ""] =
    /^curl (\S+) -H "Authorization: (.*)"\s+# (.*)$/.exec(call) ?? [];
  const response = await fetch(url, { headers: { authorization: key } });
  expect(url).toContain(server.url);
  expect(await response.text()).toBe(answer);
});

// A patch has eleven parameters.
it.each([
  ["listTags", 2],
  ["updateTags", 2],
  ["getFeatureVariants", 2],
  ["patchEnvironmentsFeatureVariants", 2.2],
])("shows %s within %d screens", async (operation, screens) => {
  const block = await open(operation);
  await block.locator(".response").last().waitFor();

  expect((await block.boundingBox())?.height).toBeLessThanOrEqual(screens * viewport.height);
});

it.each([
  { operation: "updateTags", status: "201", body: { tags: [{ type: "simple", value: "team-b" }] } },
  { operation: "patchFeatureVariants", status: "200", body: { variants: [{ stickiness: "tenant" }, {}] } },
])("sends $operation with the demo key, and writes only once dryRun is set to false", async (expected) => {
  const { operation, status, body } = expected;
  const before = await stored();
  const block = await open(operation);

  expect(await execute(block)).toMatchObject({ status: "200", body });
  expect(await stored()).toEqual(before);

  await block.locator('tr[data-param-name="dryRun"] select').selectOption("false");
  expect(await execute(block)).toMatchObject({ status, body });
  expect(await stored()).not.toEqual(before);
});

async function sentWithinHalfASecond(requests: readonly unknown[]): Promise<number> {
  const before = requests.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return requests.length - before;
}

async function open(operation: string): Promise<Locator> {
  const block = opened.page.locator(`[id$="${operation}"]`);
  await block.locator(".opblock-summary-control").click();
  return block;
}

async function execute(block: Locator): Promise<{ status: string; body: unknown }> {
  const responded = opened.page.waitForResponse((response) => response.url().includes("/api/"));
  await block.getByRole("button", { name: "Execute" }).click();
  const status = String((await responded).status());
  const live = block.locator(".live-responses-table");
  await expect.poll(() => live.locator(".response-col_status").last().innerText()).toContain(status);
  return { status, body: JSON.parse(await live.locator(".highlight-code code").first().innerText()) };
}

/** The demo feature's tags, and its variants. */
async function stored(): Promise<unknown> {
  const headers = { authorization: "burgee-demo-key-for-this-machine" };
  const paths = ["features/checkout/tags", "projects/default/features/checkout/variants"];
  const answers = paths.map((path) => fetch(`${server.url}/api/admin/${path}`, { headers }));
  return Promise.all((await Promise.all(answers)).map((answer) => answer.json()));
}
