/** The page that previews a patch, opened in Chromium on a local server with three environments. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { Variant } from "../../lib/contract/variants.ts";
import { type LocalServer, startServer } from "../support/server.ts";

export const key = "burgee-key-of-the-patch-page";
export const state = "test/browser/patch-page.json";

/** Production has two variants, the others three: an index 2 stops there. */
export const stopping = [
  { op: "replace", path: "/2/weightType", value: "fix" },
  { op: "replace", path: "/2/weight", value: 50 },
];
export const byName = stopping.map((operation) => ({
  ...operation,
  path: operation.path.replace("2", "red"),
}));

export interface Opened {
  server: LocalServer;
  page: Page;
  /** Of every request, to any host. */
  requests: URL[];
  /** Errors of the page, and what its policy blocked. */
  complaints: string[];
  close(): Promise<void>;
}

interface Options extends BrowserContextOptions {
  feature?: string;
  stateFile?: string;
}

export async function openPage(
  browser: Browser,
  { feature = "checkout", stateFile = state, ...context }: Options = {},
): Promise<Opened> {
  const server = await startServer("--state", stateFile);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...context });
  const requests: URL[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url())));
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // Chromium reports every response of 400 and above.
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      complaints.push(message.text());
  });
  await page.goto(`${server.url}/patch`);
  await show(page, { key, feature });
  const close = async () => {
    await page.close();
    await server.kill();
  };
  return { server, page, requests, complaints, close };
}

export async function show(page: Page, fields: { address?: string; key: string; feature: string }) {
  const form = page.getByRole("form", { name: "Feature" });
  if (fields.address) await form.getByLabel("Address").fill(fields.address);
  await form.getByLabel("API key").fill(fields.key);
  await form.getByLabel("Feature").fill(fields.feature);
  await form.getByRole("button", { name: "Show" }).click();
}

/** The outcomes in the headers of the environments. */
export function outcomes(page: Page): Promise<string[]> {
  return page.locator("#preview > .environments header mark").allInnerTexts();
}

export function environment(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

export async function write(page: Page, patch: unknown): Promise<void> {
  await page.getByLabel("JSON Patch").fill(typeof patch === "string" ? patch : JSON.stringify(patch));
}

/** Waits until the preview is summed up so. */
export async function expectSummary(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator("output").innerText(), { timeout: 10_000 }).toMatch(text);
}

export async function patchText(page: Page): Promise<unknown> {
  return JSON.parse(await page.getByLabel("JSON Patch").inputValue());
}

export async function stored(server: LocalServer, environmentName: string, feature = "checkout") {
  const response = await fetch(variantsUrl(server, environmentName, feature), {
    headers: { authorization: key },
  });
  const { variants } = (await response.json()) as { variants: Variant[] };
  return variants;
}

/** A write of another client. */
export async function patchElsewhere(server: LocalServer, environmentName: string, patch: unknown) {
  const headers = { authorization: key, "content-type": "application/json" };
  const init = { method: "PATCH", headers, body: JSON.stringify(patch) };
  const { status } = await fetch(variantsUrl(server, environmentName, "checkout"), init);
  expect(status).toBe(200);
}

function variantsUrl({ url }: LocalServer, environmentName: string, feature: string): string {
  const name = encodeURIComponent(environmentName);
  return `${url}/api/admin/projects/default/features/${encodeURIComponent(feature)}/environments/${name}/variants`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate<AxeResults>("axe.run()");
  expect(
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => [html, failureSummary]),
    })),
  ).toEqual([]);
  expect(passes.length).toBeGreaterThan(15);
}
