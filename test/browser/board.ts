/** The board, opened in Chromium on a server with as many flags as a test wants. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { fileOf } from "../infra/admin/command-line.ts";
import type { LocalServer } from "../support/server.ts";
import { key, readerKey, resetServer, usePage } from "./patch-page.ts";

export const patient = { timeout: 20_000 };
export const flag = (index: number) => `flag-${String(index).padStart(4, "0")}`;

const names = ["development", "staging", "production"];

/** A state with this many features, each on in every environment, and these documents for SDKs. */
function stateOf(count: number, documents: object[]): string {
  const variants = ["blue", "green"].map((name) => ({
    name,
    weight: 500,
    weightType: "variable",
    stickiness: "default",
  }));
  const production = [
    { ...variants[0], weight: 900 },
    { ...variants[1], weight: 100, weightType: "fix" },
  ];
  const features = Array.from({ length: count }, (_, index) => ({
    name: flag(index),
    project: "default",
    tags: [{ type: "simple", value: index % 2 === 0 ? "even" : "odd" }],
    environments: Object.fromEntries(
      names.map((name) => [name, { enabled: true, variants: name === "production" ? production : variants }]),
    ),
  }));
  const projects = [
    { id: "default", environments: names },
    { id: "empty", environments: names },
  ];
  const permissions = [{ permission: "ADMIN" }];
  const apiKeys = [
    { name: "test", key, permissions },
    { name: "reader", key: readerKey, permissions: [{ permission: "READ" }] },
    { name: "sdk", key: "burgee-key-of-an-sdk-alone", permissions: [{ permission: "CLIENT" }] },
  ];
  return fileOf({ projects, features, apiKeys, documents });
}

export function useBoard() {
  const ui = usePage("writes");
  return Object.assign(ui, {
    /** Opens the board of a server with this state. */
    async onServer(
      count: number,
      test: (server: LocalServer) => Promise<void>,
      documents: object[] = [],
    ): Promise<void> {
      await ui.page.close();
      await resetServer(ui.server, stateOf(count, documents));
      await ui.openBoard();
      await test(ui.server);
      expect(ui.complaints).toEqual([]);
    },

    toggle: (name: string, environment: string) =>
      ui.page.getByRole("switch", { name: `${name} in ${environment}`, exact: true }),

    async expectOn(name: string, environment: string, isOn: boolean, page = ui.page): Promise<void> {
      const toggle = page.getByRole("switch", { name: `${name} in ${environment}`, exact: true });
      await expect.poll(() => toggle.getAttribute("aria-checked"), patient).toBe(String(isOn));
    },

    expectCount: (text: string, options = patient) =>
      expect.poll(() => ui.page.locator(".count").innerText(), options).toBe(text),

    /** The question about a switch, once it can be decided. */
    async question(to: "on" | "off", name: string, environment: string, page = ui.page) {
      const ask = page.getByRole("region", { name: `Switch ${to} ${name} in ${environment}` });
      const decide = ask.getByRole("button", { name: `Switch ${to}` });
      await expect.poll(() => decide.isEnabled(), patient).toBe(true);
      return ask;
    },

    expectText: (region: Locator, text: RegExp) =>
      expect.poll(() => region.innerText(), patient).toMatch(text),
  });
}
