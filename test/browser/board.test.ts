/** The board: every flag of a project, found, switched and undone. */
import { expect, it } from "vitest";
import { fileOf } from "../infra/admin/command-line.ts";
import { type LocalServer, startServer } from "../support/server.ts";
import { key, readerKey, usePage } from "./patch-page.ts";

const ui = usePage("reads");

const names = ["development", "staging", "production"];
const patient = { timeout: 20_000 };
const flag = (index: number) => `flag-${String(index).padStart(4, "0")}`;

/** A state of so many features; each is on in every environment. */
function stateOf(count: number): string {
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
  return fileOf({ projects, features, apiKeys });
}

async function onServer(count: number, test: (server: LocalServer) => Promise<void>): Promise<void> {
  const server = await startServer("--state", stateOf(count));
  try {
    await ui.page.close();
    await ui.openBoard(key, server);
    await test(server);
    expect(ui.complaints).toEqual([]);
  } finally {
    await server.kill();
  }
}

const toggle = (name: string, environment: string) =>
  ui.page.getByRole("switch", { name: `${name} in ${environment}`, exact: true });
const isOn = (name: string, environment: string) => toggle(name, environment).getAttribute("aria-checked");
const count = () => ui.page.locator(".count").innerText();

/** What an SDK evaluates: the document of production. */
async function isServed(server: LocalServer, name: string): Promise<boolean> {
  const url = `${server.url}/api/projects/default/environments/production/client/features`;
  const { features } = (await (await fetch(url, { headers: { authorization: key } })).json()) as {
    features: { name: string; enabled: boolean }[];
  };
  return features.find((feature) => feature.name === name)?.enabled === true;
}

it("finds a flag among 2,000 by typing, switches it off in production, SDKs follow, and undoes it", async () => {
  await onServer(2000, async (server) => {
    const { page } = ui;
    await expect.poll(count, { timeout: 60_000 }).toBe("2,000 flags");
    // Only the rows in sight are drawn.
    expect(await page.locator(".rows [role=row]").count()).toBeLessThan(40);

    await page.getByLabel("Search names and tags").fill("1234 even");
    await expect.poll(count, patient).toBe("1 of 2,000 flags");
    await toggle(flag(1234), "production").click();
    const ask = page.getByRole("region", { name: `Switch off ${flag(1234)} in production` });
    await expect
      .poll(() => ask.innerText(), patient)
      .toMatch(
        /goes off in production. SDKs stop seeing it within 5 seconds.*development and staging stay on\./s,
      );
    expect(ui.writes()).toEqual([]);
    await ui.expectAccessible();
    await ask.getByRole("button", { name: "Switch off" }).click();

    await expect.poll(() => ask.innerText(), patient).toMatch(/is off in production/);
    await expect.poll(() => isOn(flag(1234), "production"), patient).toBe("false");
    expect(await isOn(flag(1234), "staging")).toBe("true");
    await expect.poll(() => isServed(server, flag(1234)), { timeout: 10_000 }).toBe(false);
    await ask.getByRole("button", { name: "Undo in production" }).click();
    await expect.poll(() => isOn(flag(1234), "production"), patient).toBe("true");
  });
});

it("keeps place and search on the way to a feature and back", async () => {
  await onServer(300, async () => {
    const { page } = ui;
    await expect.poll(count, patient).toBe("300 flags");
    await page.getByLabel("Search names and tags").fill("odd");
    await page.evaluate("scrollTo(0, 3000)");
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await ui.expectSummary("As it is stored");
    expect(await page.title()).toBe(`Burgee: ${flag(91)}`);

    await page.getByRole("link", { name: "All flags" }).click();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    expect(await count()).toBe("150 of 300 flags");
    await page.getByRole("link", { name: flag(91), exact: true }).waitFor();
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    expect(await page.title()).toBe("Burgee: flags of default");
  });
});

it("shows what differs from the first environment, filters by a tag, and is used by keyboard alone", async () => {
  await onServer(6, async () => {
    const { page } = ui;
    await expect.poll(count, patient).toBe("6 flags");
    const cells = page.getByRole("row", { name: flag(1) }).getByRole("cell");
    expect(await cells.allInnerTexts()).toEqual([
      expect.not.stringContaining("differs"),
      expect.not.stringContaining("differs"),
      expect.stringMatching(/differs\s+blue 90 % · green 10 %/),
    ]);
    await cells.first().getByRole("img", { name: "blue 50 % · green 50 %" }).waitFor();

    await page.getByRole("button", { name: "odd" }).first().press("Enter");
    await expect.poll(count, patient).toBe("3 of 6 flags");
    await toggle(flag(3), "staging").press("Space");
    const ask = page.getByRole("region", { name: `Switch off ${flag(3)} in staging` });
    await expect.poll(() => ask.getByRole("button", { name: "Switch off" }).isEnabled(), patient).toBe(true);
    await page.keyboard.press("Escape");
    expect(await ask.count()).toBe(0);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
      `${flag(3)} in staging`,
    );
    await page.keyboard.press("Enter");
    await expect.poll(() => ask.getByRole("button", { name: "Switch off" }).isEnabled(), patient).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => isOn(flag(3), "staging"), patient).toBe("false");
  });
});

it("asks again where another tab has switched first, and shows what that did", async () => {
  await onServer(2, async (server) => {
    const first = ui.page;
    await expect.poll(count, patient).toBe("2 flags");
    await toggle(flag(0), "production").click();
    const ask = first.getByRole("region", { name: `Switch off ${flag(0)} in production` });
    await expect.poll(() => ask.getByRole("button", { name: "Switch off" }).isEnabled(), patient).toBe(true);

    const url = `${server.url}/api/admin/projects/default/features/${flag(0)}/environments/production/off`;
    await fetch(url, { method: "POST", headers: { authorization: key } });
    await ask.getByRole("button", { name: "Switch off" }).click();

    await expect.poll(() => ask.innerText(), patient).toMatch(/Another request has changed/);
    await expect.poll(() => isOn(flag(0), "production"), patient).toBe("false");
    await ask.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => ask.getByRole("button", { name: "Switch off" }).isEnabled(), patient).toBe(true);
  });
});

it("has words and a way on for an empty project, a key that may not read, and a server that is away", async () => {
  await onServer(1, async (server) => {
    const { page } = ui;
    await page.getByRole("link", { name: flag(0) }).waitFor();
    const board = () => page.locator("#board").innerText();
    await page.getByLabel("Project").selectOption("empty");
    await expect.poll(board, patient).toContain("empty has no flags yet");
    await ui.expectAccessible();
    await page.getByLabel("Project").selectOption("default");
    await page.getByRole("link", { name: flag(0) }).waitFor();

    await page.getByLabel("Search names and tags").fill("nothing like it");
    await expect.poll(board, patient).toContain("No flag matches nothing like it.");
    await ui.press("Show all flags");
    await page.getByRole("link", { name: flag(0) }).waitFor();

    await page.route("**/api/**", (route) => route.abort());
    await ui.press("Show");
    await expect.poll(board, patient).toContain(`No response from ${server.url}`);
    await page.getByRole("link", { name: flag(0) }).waitFor();
    await page.unroute("**/api/**");
    await ui.press("Try again");
    await expect.poll(board, patient).not.toContain("No response");

    await ui.show({ key: "burgee-key-of-an-sdk-alone" });
    await expect.poll(board, patient).toContain("The API key has no permission to read");
    await ui.show({ key: readerKey });
    await toggle(flag(0), "production").click();
    await expect.poll(board, patient).toContain("This key lacks UPDATE_FEATURE_ENVIRONMENT in production.");
    expect(await page.getByRole("button", { name: "Switch off" }).isEnabled()).toBe(false);
  });
});

it.each(["light", "dark"] as const)(
  "has no violation that axe-core finds in %s, and fits 390 pixels",
  async (mode) => {
    const { page } = ui;
    await ui.page.close();
    await ui.openBoard();
    await ui.page.emulateMedia({ colorScheme: mode });
    await ui.page.getByRole("link", { name: "checkout" }).waitFor();
    await ui.expectAccessible();
    await ui.page.setViewportSize({ width: 390, height: 844 });
    await ui.expectAccessible();
    expect(await ui.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(page.isClosed()).toBe(true);
  },
);
