/** The page that previews a patch, opened in Chromium on a local server with three environments. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { readStateFile } from "../../infra/state/state.ts";
import { emptyTable, writeState } from "../../infra/store/write-state.ts";
import type { Variant } from "../../lib/contract/variants.ts";
import { createClient } from "../../lib/store/client.ts";
import { type LocalServer, startServer } from "../support/server.ts";
import { openTable, settingsOf } from "../support/table.ts";
import { type OpenedPage, openAt, openChromium } from "./chromium.ts";

export const key = "burgee-key-of-the-patch-page";
/** It may patch in development alone. */
export const developmentKey = "burgee-key-for-development-alone";
/** It may switch features in production alone. */
export const switcherKey = "burgee-key-that-switches-in-production";
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

export const proposed = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

interface Opened extends OpenedPage {
  browser: BrowserContext;
  server: LocalServer;
}

/** The page for each test of a file, on one server; with "writes", each test starts with the same state. */
export function usePage(kind: "reads" | "writes", ...flags: string[]) {
  const opened = {} as Opened;
  const ui = Object.assign(opened, actionsOn(opened));
  beforeAll(async () => {
    ui.browser = await openChromium(...flags);
    ui.server = await startServer("--state", state);
  });
  beforeEach(async () => {
    if (kind === "writes") await resetServer(ui.server, state);
    await ui.open("checkout");
  });
  afterEach(async () => {
    await ui.page.close();
    await ui.browser.clearPermissions();
  });
  afterAll(async () => {
    await ui.browser?.close();
    await ui.server?.kill();
  });
  return ui;
}

/** Replaces everything that the server has stored by a state: a start takes longer. */
export async function resetServer({ engine }: LocalServer, file: string): Promise<void> {
  Object.assign(process.env, settingsOf(engine));
  const client = createClient();
  const session = openTable("burgee", client);
  await emptyTable(session);
  await writeState(session, await readStateFile(file));
  client.destroy();
}

/** What a person does on the page and sees there, and what is stored behind it. */
function actionsOn(opened: Opened) {
  const { poll } = expect;
  const patient = { timeout: 10_000 };

  /** Opens the page in a tab of its own. */
  async function openUrl(url: string): Promise<void> {
    Object.assign(opened, await openAt(opened.browser, url));
  }

  async function show(fields: { key?: string; feature?: string }): Promise<void> {
    for (const [name, value] of Object.entries(fields))
      await opened.page.locator(`[name=${name}]`).fill(value);
    await press("Show");
  }

  async function press(name: string): Promise<void> {
    await opened.page.getByRole("button", { name, exact: true }).click();
  }

  async function stored(environment: string, server = opened.server): Promise<Variant[]> {
    const response = await fetch(variantsUrl(server, environment), { headers: { authorization: key } });
    return ((await response.json()) as { variants: Variant[] }).variants;
  }

  return {
    openUrl,
    show,
    press,
    stored,

    /** With the key and the feature that it shows. */
    async open(feature: string, server = opened.server): Promise<void> {
      await openUrl(`${server.url}/patch#${new URLSearchParams({ project: "default", feature })}`);
      await show({ key });
    },

    async write(patch: unknown): Promise<void> {
      const text = typeof patch === "string" ? patch : JSON.stringify(patch);
      await opened.page.getByLabel("JSON Patch").fill(text);
    },

    async choose(fields: Record<string, string>, within: Locator | Page = opened.page): Promise<void> {
      for (const [label, value] of Object.entries(fields)) {
        // A button may have the words of a label in its name.
        const field = within.getByLabel(label).and(opened.page.locator("input, select, textarea"));
        if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
        else await field.fill(value);
      }
    },

    async patchText(): Promise<unknown> {
      return JSON.parse(await opened.page.getByLabel("JSON Patch").inputValue());
    },

    /** The outcomes in the headers of the environments. */
    outcomes: () => opened.page.locator("#preview > .environments header mark").allInnerTexts(),

    /** Opens the board with this key. */
    async openBoard(withKey = key, server = opened.server): Promise<void> {
      await openUrl(`${server.url}/patch`);
      await show({ key: withKey });
    },

    /** A variant in an environment of the preview. */
    variant: (environment: string, index: number) =>
      opened.page.getByRole("region", { name: environment, exact: true }).getByRole("listitem").nth(index),

    expectSummary: (text: string | RegExp) =>
      poll(() => opened.page.locator("#result").innerText(), patient).toMatch(text),

    /** Waits for the text of the notices from the first to the last. */
    expectNotices: (text: string | RegExp) =>
      poll(() => opened.page.locator("#notices").innerText(), patient).toMatch(text),

    /** Why the patch cannot be applied, beside the button. */
    expectObstacle: (text: string) =>
      poll(() => opened.page.locator("#plan > p:has(.primary) > small").last().innerText(), patient).toBe(
        text,
      ),

    expectEnabled: (name: string, isEnabled: boolean) =>
      poll(() => opened.page.getByRole("button", { name }).isEnabled(), patient).toBe(isEnabled),

    async expectAccessible(): Promise<void> {
      await opened.page.evaluate(axe);
      const { violations, passes } = await opened.page.evaluate<AxeResults>("axe.run()");
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
      );
      expect(found).toEqual([]);
      expect(passes.length).toBeGreaterThan(15);
      expect(await opened.page.locator(".undefined").count()).toBe(0);
    },

    /** Where the feature is on. */
    async enabledIn(): Promise<string[]> {
      const url = `${opened.server.url}/api/admin/projects/default/features/checkout`;
      const response = await fetch(url, { headers: { authorization: key } });
      const { environments } = (await response.json()) as {
        environments: { environment: string; enabled: boolean }[];
      };
      return environments.filter(({ enabled }) => enabled).map(({ environment }) => environment);
    },

    storedEverywhere: () =>
      Promise.all(["development", "staging", "production"].map((environment) => stored(environment))),

    /** A write of another client. */
    async patchElsewhere(environment: string, patch: unknown): Promise<void> {
      const headers = { authorization: key, "content-type": "application/json" };
      const init = { method: "PATCH", headers, body: JSON.stringify(patch) };
      const { status } = await fetch(`${variantsUrl(opened.server, environment)}?by=name`, init);
      expect(status).toBe(200);
    },

    /** The members of a link that proposes a patch, with the current ETag. */
    async proposal(): Promise<Record<string, string>> {
      const { headers } = await fetch(variantsUrl(opened.server), { headers: { authorization: readerKey } });
      const place = { project: "default", feature: "checkout", by: "name" };
      const patch = JSON.stringify(proposed);
      return { ...place, patch, etag: headers.get("etag") ?? "", reason: "Asked by support" };
    },

    /** Opens the link of a proposal, or with any other fragment. */
    async follow(fragment: Record<string, string> | string): Promise<Page> {
      await opened.page.close();
      const text = typeof fragment === "string" ? fragment : new URLSearchParams(fragment);
      await openUrl(`${opened.server.url}/patch#${text}`);
      return opened.page;
    },

    /** The requests that were to write. */
    writes: () =>
      opened.requests.filter((request) => request.method() !== "GET" && !request.url().includes("dryRun")),
  };
}

/** Of all environments, unless one is given. */
function variantsUrl({ url }: LocalServer, environment = ""): string {
  const scope = environment && `/environments/${environment}`;
  return `${url}/api/admin/projects/default/features/checkout${scope}/variants`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
