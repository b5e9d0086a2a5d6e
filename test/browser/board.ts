/** The board, opened in Chromium on a server with as many flags as a test wants. */
import { expect } from "vitest";
import type { LocalServer } from "../support/server.ts";
import { key, patient, resetServer, usePage } from "./page.ts";

export const flag = (index: number) => `flag-${index}`;

const names = ["development", "staging", "production"];

/** A state with this many features, each on in every environment, every other one in production for a part of the users. */
function stateOf(count: number): object {
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
  const parameters = { rollout: "25", stickiness: "userId", groupId: "g" };
  const constraints = [{ contextName: "country", operator: "IN", values: ["DE"] }];
  const strategies = [{ id: "gradual", name: "flexibleRollout", parameters, constraints }];
  const features = Array.from({ length: count }, (_, index) => ({
    name: flag(index),
    project: "default",
    tags: [{ type: "simple", value: index % 2 === 0 ? "even" : "odd" }],
    environments: Object.fromEntries(
      names.map((name) => [
        name,
        {
          enabled: true,
          ...(name === "production"
            ? { variants: production, ...(index % 2 && { strategies }) }
            : { variants }),
        },
      ]),
    ),
  }));
  const projects = [
    { id: "default", environments: names },
    { id: "empty", environments: names },
  ];
  return { projects, features };
}

export function useBoard() {
  const ui = usePage("reads");
  return Object.assign(ui, {
    /** Opens the board of a server with this state. */
    async onServer(count: number, test: (server: LocalServer) => Promise<void>): Promise<void> {
      await ui.page.close();
      await resetServer(ui.server, stateOf(count));
      await ui.openUrl(`${ui.server.url}/patch`);
      await ui.enter(key);
      await test(ui.server);
      expect(ui.complaints).toEqual([]);
    },

    async expectOn(name: string, environment: string, isOn: boolean, page = ui.page): Promise<void> {
      const toggle = page.getByRole("switch", { name: `${name} in ${environment}`, exact: true });
      await expect.poll(() => toggle.getAttribute("aria-checked"), patient).toBe(String(isOn));
    },

    expectCount: (text: string, options = patient) =>
      expect.poll(() => ui.page.locator(".count").innerText(), options).toBe(text),
  });
}
