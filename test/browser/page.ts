/** The page, opened in Chromium on a local server with three environments; a test enters by the board, as people do. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { checkState, readState } from "../../infra/state/state-file.ts";
import { emptyTable, writeState } from "../../infra/store/write-state.ts";
import { createClient } from "../../lib/store/dynamodb/client.ts";
import { type LocalServer, startServer } from "../support/server.ts";
import { openTable, settingsOf } from "../support/table.ts";
import { confirmationOn, type OpenedPage, openAt, openChromium } from "./chromium.ts";

export const key = "burgee-key-of-the-patch-page";
/** It may patch in development alone. */
export const developmentKey = "burgee-key-for-development-alone";
export const readerKey = "burgee-key-that-only-reads";
export const state = "test/browser/page.json";
export const patient = { timeout: 20_000 };

interface Opened extends OpenedPage {
  browser: BrowserContext;
  server: LocalServer;
}

/** What an environment has, with names and ids as keys. */
interface Stored {
  environment: string;
  enabled: boolean;
  variants: Record<string, Record<string, unknown>>;
  strategies: Record<string, Record<string, unknown>>;
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
    if (kind === "writes") await resetServer(ui.server);
    await ui.openUrl(`${ui.server.url}/patch`);
    // The page keeps a guard and a limit of moves there, which it reads for each new draft.
    await ui.page.evaluate("localStorage.clear()");
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

/**
 * Replaces everything that the server has stored by a state: a start takes longer. The API keys are always those of
 * `state`, because the server goes on for a while with what it read of a key.
 */
export async function resetServer({ engine }: LocalServer, instead: object = {}): Promise<void> {
  Object.assign(process.env, settingsOf(engine));
  const client = createClient();
  const session = openTable("burgee", client);
  await emptyTable(session);
  await writeState(session, checkState({ ...Object(await readState(state)), ...instead }, state));
  client.destroy();
}

/** What a person does on the page and sees there, and what is stored behind it. */
function actionsOn(opened: Opened) {
  const { poll } = expect;
  const region = (name: string) => opened.page.getByRole("region", { name, exact: true });
  const confirmation = () => confirmationOn(opened.page);

  /** Opens the page in a tab of its own. */
  async function openUrl(url: string): Promise<void> {
    Object.assign(opened, await openAt(opened.browser, url));
  }

  async function enter(withKey: string): Promise<void> {
    await opened.page.getByLabel("API key", { exact: true }).last().fill(withKey);
    await press("Show");
  }

  async function press(name: string): Promise<void> {
    await opened.page.getByRole("button", { name, exact: true }).click();
  }

  async function request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const url = `${opened.server.url}/api/admin/projects/default/features/checkout${path}`;
    const headers = { authorization: key, "content-type": "application/json" };
    const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(response.status).toBe(200);
    return Object(await response.json());
  }

  return {
    openUrl,
    enter,
    press,
    region,
    confirmation,

    /** From the board, with this key. */
    async openFlag(name = "checkout", withKey = key): Promise<void> {
      await enter(withKey);
      await opened.page.getByRole("link", { name, exact: true }).click();
      await opened.page.getByRole("heading", { name: "Last changes" }).waitFor();
    },

    toggle: (environment: string, name = "checkout") =>
      opened.page.getByRole("switch", { name: `${name} in ${environment}`, exact: true }),

    /** Types into a field of an environment, and leaves it. */
    async set(label: string, value: string): Promise<void> {
      const field = opened.page.getByRole("textbox", { name: label, exact: true });
      await field.fill(value);
      await field.press("Enter");
    },

    /** Presses the button that sends the change, once the dry run is there. */
    async confirm(name: string): Promise<void> {
      const button = confirmation().getByRole("button", { name, exact: true });
      await poll(() => button.isEnabled(), patient).toBe(true);
      await button.click();
    },

    expectConfirmation: (pattern: RegExp) =>
      poll(async () => (await confirmation().count()) && (await confirmation().innerText()), patient).toMatch(
        pattern,
      ),

    expectText: (name: string, pattern: RegExp) =>
      poll(() => region(name).innerText(), patient).toMatch(pattern),

    /** The patch that is being written. */
    async patchText(): Promise<unknown> {
      return JSON.parse(await opened.page.getByLabel("JSON Patch").inputValue());
    },

    async writePatch(patch: unknown): Promise<void> {
      const field = opened.page.getByLabel("JSON Patch");
      if (!(await field.isVisible())) await opened.page.getByText("As JSON").click();
      await field.fill(typeof patch === "string" ? patch : JSON.stringify(patch));
    },

    request,

    async stored(environment: string): Promise<Stored> {
      const { environments } = (await request("GET", "?by=name")) as unknown as { environments: Stored[] };
      const found = environments.find((each) => each.environment === environment);
      if (!found) throw new Error(`no ${environment}`);
      return found;
    },

    /** A write of another client. */
    patchElsewhere: (environment: string, patch: unknown) =>
      request("PATCH", `/environments/${environment}`, patch),

    undoElsewhere: (environment: string, change: string) =>
      request("POST", `/environments/${environment}/variants/changes/${change}/undo`, {}),

    /** The sentences of the last changes, newest first, without their times. */
    changes: () => region("Last changes").locator("li summary").allInnerTexts(),

    async expectAccessible(): Promise<void> {
      await opened.page.evaluate(axe);
      const { violations, passes } = await opened.page.evaluate<AxeResults>("axe.run()");
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
      );
      expect(found).toEqual([]);
      expect(passes.length).toBeGreaterThan(10);
    },

    /** At 390 pixels nothing is wider than the window. */
    async expectNarrow(): Promise<void> {
      await opened.page.setViewportSize({ width: 390, height: 844 });
      expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    },

    /** The members of a link that proposes a patch, with the current ETag. */
    async proposal(): Promise<Record<string, string>> {
      const url = `${opened.server.url}/api/admin/projects/default/features/checkout/variants`;
      const { headers } = await fetch(url, { headers: { authorization: readerKey } });
      const patch = JSON.stringify(proposed);
      const etag = headers.get("etag") ?? "";
      return { project: "default", feature: "checkout", patch, etag, reason: "Asked by support" };
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

export const proposed = [{ op: "replace", path: "/variants/blue/stickiness", value: "userId" }];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
