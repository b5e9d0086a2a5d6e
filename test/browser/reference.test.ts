/** The reference page in a real browser. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import { openChromium } from "./chromium.ts";

const viewport = { width: 1280, height: 900 };

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
  page = await browser.newPage({ viewport });
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
  await expect.poll(() => page.locator(".opblock").count()).toBe(10);

  expect(await page.title()).toBe("Burgee: API reference");
  expect(await page.locator(".opblock-summary-method").allInnerTexts()).toEqual([
    ...["GET", "PUT"],
    ...["GET", "PATCH"],
    ...["GET", "PATCH"],
    ...["GET", "POST"],
    ...["GET", "POST"],
  ]);
  await page.waitForLoadState("networkidle");
  expectOnlyThisServer();
});

it("opens with two sentences and a first call, which is right for this server", async () => {
  const description = page.locator(".info .description");
  const call = (await description.locator("pre").innerText()).trim();

  expect((await description.locator("p").first().innerText()).match(/\.(?= |$)/g)).toHaveLength(2);
  const [, url = "", key = "", answer = ""] =
    /^curl (\S+) -H "Authorization: (.*)"\s+# (.*)$/.exec(call) ?? [];
  const response = await fetch(url, { headers: { authorization: key } });
  expect(url).toContain(server.url);
  expect(await response.text()).toBe(answer);
});

it("an opened operation fits two screens", async () => {
  for (const operation of [
    "listTags",
    "updateTags",
    "getFeatureVariants",
    "patchEnvironmentsFeatureVariants",
  ]) {
    const block = await open(operation);
    await block.locator(".response").last().waitFor();

    expect((await block.boundingBox())?.height, operation).toBeLessThanOrEqual(2 * viewport.height);
  }
});

it("shows an error's example once the error is opened", async () => {
  const block = await open("patchFeatureVariants");

  await block.getByRole("button", { name: "ValidationError" }).click();

  const invalid = block.locator('.response[data-code="400"]');
  await expect.poll(() => invalid.innerText()).toContain("The body is invalid: /0/op");
  expectOnlyThisServer();
});

it.each([
  { operation: "listTags", body: { tags: [{ type: "simple", value: "team-a" }] } },
  {
    operation: "getEnvironmentFeatureVariants",
    body: { variants: [{ name: "blue", weight: 500 }, { name: "green" }] },
  },
])("sends $operation at a click, with the demo key, and shows the response", async ({ operation, body }) => {
  const block = await open(operation);

  expect(await execute(block)).toMatchObject({ status: "200", body: { version: 1, ...body } });
  expectOnlyThisServer();
});

it.each([
  { operation: "updateTags", status: "201", body: { tags: [{ type: "simple", value: "team-b" }] } },
  { operation: "patchFeatureVariants", status: "200", body: { variants: [{ stickiness: "userId" }, {}] } },
  {
    operation: "patchEnvironmentsFeatureVariants",
    status: "200",
    body: { variants: [{ stickiness: "userId" }, {}] },
  },
])("writes by $operation only once dryRun is not true any more", async ({ operation, status, body }) => {
  const before = await stored();
  const block = await open(operation);

  expect(await execute(block)).toMatchObject({ status: "200", body });
  expect(await stored()).toEqual(before);

  await block.locator('tr[data-param-name="dryRun"] select').selectOption("false");
  expect(await execute(block)).toMatchObject({ status, body });
  expect(await stored()).not.toEqual(before);
  expectOnlyThisServer();
});

it("follows the system's colour scheme", async () => {
  const title = page.locator(".info .title");
  await title.waitFor();

  expect(await contrast(title)).toBeLessThan(-100);
  await page.emulateMedia({ colorScheme: "dark" });

  await expect.poll(() => contrast(title)).toBeGreaterThan(100);
});

/** How much brighter the text is than what is behind it: -255 to 255. */
async function contrast(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const toNumber = (color: string) => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
      return alpha === 0 ? 255 : (red + green + blue) / 3;
    };
    const view = node.ownerDocument.defaultView;
    const styleOf = (of: typeof node) => view.getComputedStyle(of);
    const background = styleOf(node.ownerDocument.documentElement).backgroundColor;
    return toNumber(styleOf(node).color) - toNumber(background);
  });
}

async function open(operation: string): Promise<Locator> {
  const block = page.locator(`[id$="${operation}"]`);
  await block.locator(".opblock-summary-control").click();
  return block;
}

async function execute(block: Locator): Promise<{ status: string; body: unknown }> {
  const responded = page.waitForResponse((response) => response.url().includes("/api/"));
  await block.getByRole("button", { name: "Execute" }).click();
  const sent = await responded;
  const live = block.locator(".live-responses-table");
  await live.waitFor();
  await expect
    .poll(() => live.locator(".response-col_status").last().innerText())
    .toContain(String(sent.status()));
  const body = await live.locator(".highlight-code code").first().innerText();
  return { status: String(sent.status()), body: JSON.parse(body) };
}

/** The demo feature's tags, and its variants in every environment. */
async function stored(): Promise<unknown> {
  const feature = `${server.url}/api/admin/projects/default/features/checkout`;
  const headers = { authorization: "burgee-demo-key-for-this-machine", "content-type": "application/json" };
  const tags = await fetch(`${server.url}/api/admin/features/checkout/tags`, { headers });
  const empty = { method: "PATCH", headers, body: "[]" };
  const variants = await fetch(`${feature}/variants?dryRun=true`, empty);
  return [await tags.json(), await variants.json()];
}

function expectOnlyThisServer(): void {
  const { host } = new URL(server.url);
  expect(requests.length).toBeGreaterThan(3);
  // A data URL has no host: it causes no request to one.
  expect(requests.filter((url) => url.protocol !== "data:" && url.host !== host)).toEqual([]);
  expect(complaints).toEqual([]);
}
