/** The page that previews a patch, opened in Chromium on a local server with three environments. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { type LocalServer, startServer } from "../support/server.ts";
import { type OpenedPage, openAt, openChromium } from "./chromium.ts";

export const key = "burgee-key-of-the-patch-page";
/** It may patch in development alone. */
export const developmentKey = "burgee-key-for-development-alone";
export const readerKey = "burgee-key-that-only-reads";
export const state = "test/browser/patch-page.json";

/** Production has no green, so this stops there. */
export const stopping = [
  { op: "replace", path: "/green/weightType", value: "fix" },
  { op: "replace", path: "/green/weight", value: 50 },
];
/** Every environment has red. */
export const everywhere = stopping.map(({ path, ...operation }) => ({
  ...operation,
  path: path.replace("green", "red"),
}));

export interface Opened extends OpenedPage {
  browser: Browser;
  server: LocalServer;
}

/** The page for each test of a file, on one server; with "writes", on a server for each test. */
export function usePage(kind: "reads" | "writes", ...flags: string[]): Opened {
  const opened = {} as Opened;
  const start = async () => {
    opened.server = await startServer("--state", state);
  };
  const stop = async () => {
    await opened.server?.kill();
  };
  beforeAll(async () => {
    opened.browser = await openChromium(...flags);
    if (kind === "reads") await start();
  });
  beforeEach(async () => {
    if (kind === "writes") await start();
    Object.assign(opened, await openPage(opened.browser, opened.server));
  });
  afterEach(async () => {
    await opened.page.close();
    if (kind === "writes") await stop();
  });
  afterAll(async () => {
    await opened.browser?.close();
    if (kind === "reads") await stop();
  });
  return opened;
}

/** With the key and the feature that it shows. */
export async function openPage(
  browser: Browser,
  server: LocalServer,
  { feature = "checkout", ...context }: BrowserContextOptions & { feature?: string } = {},
): Promise<OpenedPage> {
  const opened = await openAt(browser, `${server.url}/patch`, context);
  await show(opened.page, { key, feature });
  return opened;
}

export async function show(page: Page, fields: { address?: string; key?: string; feature?: string }) {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
  await press(page, "Show");
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

export async function write(page: Page, patch: unknown): Promise<void> {
  await page.getByLabel("JSON Patch").fill(typeof patch === "string" ? patch : JSON.stringify(patch));
}

export async function choose(page: Locator | Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label);
    if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
}

export async function patchText(page: Page): Promise<unknown> {
  return JSON.parse(await page.getByLabel("JSON Patch").inputValue());
}

/** The outcomes in the headers of the environments. */
export function outcomes(page: Page): Promise<string[]> {
  return page.locator("#preview > .environments header mark").allInnerTexts();
}

/** A variant in an environment of the preview. */
export function variant(page: Page, environment: string, index: number) {
  return page.getByRole("region", { name: environment, exact: true }).getByRole("listitem").nth(index);
}

export function expectSummary(page: Page, text: string | RegExp): Promise<void> {
  return expect.poll(() => page.locator("#result").innerText(), { timeout: 10_000 }).toMatch(text);
}

/** Waits for the text of the notices from the first to the last. */
export function expectNotices(page: Page, text: string | RegExp): Promise<void> {
  const notices = page.locator("#notices");
  return expect.poll(() => notices.innerText(), { timeout: 10_000 }).toMatch(text);
}

/** Why the patch cannot be applied, beside the button. */
export function expectObstacle(page: Page, text: string): Promise<void> {
  const obstacle = page.locator("#plan > p:has(.primary) small");
  return expect.poll(() => obstacle.innerText(), { timeout: 10_000 }).toBe(text);
}

export async function storedEverywhere(server: LocalServer) {
  return Promise.all(["development", "staging", "production"].map((name) => stored(server, name)));
}

export const proposed = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

/** The members of a link that proposes it, with the current ETag. */
export async function proposal({ url }: LocalServer, environment = ""): Promise<Record<string, string>> {
  const scope = environment && `/environments/${environment}`;
  const variants = `${url}/api/admin/projects/default/features/checkout${scope}/variants`;
  const { headers } = await fetch(variants, { headers: { authorization: readerKey } });
  const etag = headers.get("etag") ?? "";
  const place = { project: "default", feature: "checkout", ...(environment && { environment }) };
  return { ...place, by: "name", patch: JSON.stringify(proposed), etag, reason: "Asked by support" };
}

/** Opens the link of a proposal, or with any other fragment, in a page of its own. */
export async function follow(opened: Opened, fragment: Record<string, string> | string): Promise<Page> {
  await opened.page.close();
  const written = typeof fragment === "string" ? fragment : new URLSearchParams(fragment);
  Object.assign(opened, await openAt(opened.browser, `${opened.server.url}/patch#${written}`));
  return opened.page;
}

/** The requests that were to write. */
export function writes({ requests }: Opened) {
  return requests.filter((request) => request.method() !== "GET" && !request.url().includes("dryRun"));
}

export function expectEnabled(page: Page, button: string, isEnabled: boolean): Promise<void> {
  const named = page.getByRole("button", { name: button });
  return expect.poll(() => named.isEnabled(), { timeout: 10_000 }).toBe(isEnabled);
}

export async function stored(server: LocalServer, environment: string, feature = "checkout") {
  const response = await fetch(variantsUrl(server, environment, feature), {
    headers: { authorization: key },
  });
  const { variants } = (await response.json()) as { variants: Variant[] };
  return variants;
}

/** A write of another client. */
export async function patchElsewhere(server: LocalServer, environment: string, patch: unknown) {
  const headers = { authorization: key, "content-type": "application/json" };
  const init = { method: "PATCH", headers, body: JSON.stringify(patch) };
  const { status } = await fetch(`${variantsUrl(server, environment, "checkout")}?by=name`, init);
  expect(status).toBe(200);
}

function variantsUrl({ url }: LocalServer, environment: string, feature: string): string {
  return `${url}/api/admin/projects/default/features/${feature}/environments/${environment}/variants`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
  );
  expect(found).toEqual([]);
  expect(passes.length).toBeGreaterThan(15);
}
