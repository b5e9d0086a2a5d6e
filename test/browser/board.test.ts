/** The board: every flag of a project, found among many, and what it says where there is none. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { flag, useBoard } from "./board.ts";
import { key, patient, readerKey } from "./page.ts";

const ui = useBoard();

it("keeps place and search on the way to a feature and back, and has the project in its address", async () => {
  await ui.onServer(300, async ({ url }) => {
    const { page } = ui;
    await ui.expectCount("300 flags");
    expect(page.url()).toBe(`${url}/patch#project=default`);
    await page.getByLabel("Search names and tags").fill("odd");
    await page.evaluate("scrollTo(0, 3000)");
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await page.getByRole("heading", { name: flag(91), exact: true }).waitFor();
    expect(await page.title()).toBe(`Burgee: ${flag(91)}`);

    await page.getByRole("link", { name: "All flags" }).click();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    await ui.expectCount("150 of 300 flags");
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    expect(await page.title()).toBe("Burgee: flags of default");
  });
});

it("sorts as people count, keeps its head in sight, and marks production and what differs from the first environment", async () => {
  await ui.onServer(30, async () => {
    const { page } = ui;
    await ui.expectCount("30 flags");
    const names = await page.locator("a.name").allInnerTexts();
    expect(names.slice(0, 11).at(-1)).toBe("flag-10");
    const cells = page.getByRole("row", { name: "flag-3 odd" }).getByRole("cell");
    expect(await cells.allInnerTexts()).toEqual([
      "everyone · blue 50 % · green 50 %",
      expect.not.stringContaining("differs"),
      expect.stringMatching(/differs.*25 % by userId · 1 constraint · blue 90 % · green 10 %/s),
    ]);
    await cells.first().getByRole("img", { name: "blue 50 % · green 50 %" }).waitFor();
    const head = page.getByRole("columnheader", { name: "production" });
    expect(await head.innerText()).toContain("live");
    await page.evaluate("scrollTo(0, 900)");
    await expect.poll(async () => (await head.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
  });
});

it("says where flagd's own logic decides, and what depends on another feature, and asks so before a deletion", async () => {
  await ui.onServer(2, async ({ url }) => {
    const { page } = ui;
    const patch = (environment: string, path: string, value: unknown) =>
      fetch(`${url}/api/admin/projects/default/features/${flag(1)}/environments/${environment}`, {
        method: "PATCH",
        headers: { authorization: key, "content-type": "application/json-patch+json" },
        body: JSON.stringify([{ op: "add", path, value }]),
      });
    await patch("staging", "/targeting", { targeting: { if: [true, "blue"] }, defaultVariant: "green" });
    await patch("production", "/dependencies", [{ feature: flag(0) }]);
    await page.reload();
    await ui.enter(key);

    await ui.expectCount("2 flags");
    const cells = page.getByRole("row", { name: flag(1) }).getByRole("cell");
    expect(await cells.allInnerTexts()).toEqual([
      "everyone · blue 50 % · green 50 %",
      expect.stringMatching(/differs\s+whom flagd's own logic picks$/),
      expect.stringContaining("25 % by userId · 1 constraint · depends on 1 feature · blue 90 %"),
    ]);
    await page.getByRole("link", { name: flag(1), exact: true }).click();
    await ui.press("Delete flag");
    expect(await page.locator("body").innerText()).toContain("staging (whom flagd's own logic picks)");
  });
});

it("says where a list leaves out environments of a flag, and does not take it for outdated", async () => {
  await ui.onServer(2, async (server) => {
    const { page } = ui;
    await ui.expectCount("2 flags");
    const list = `${server.url}/api/admin/projects/default/features?with=environments&limit=100`;
    const listed = Object(await (await fetch(list, { headers: { authorization: key } })).json());
    listed.features[1].environments.pop();
    listed.features[1].more = true;
    await page.getByRole("link", { name: flag(1), exact: true }).click();
    await page.getByRole("heading", { name: "Last changes" }).waitFor();
    await page.route("**/features?with=environments*", (route) => route.fulfill({ json: listed }));
    await page.getByRole("link", { name: "All flags" }).click();
    await ui.press("Change the key");
    await ui.enter(key);
    await ui.expectCount("2 flags");
    expect(await page.locator(".toolbar").innerText()).not.toContain("your change");

    await page.reload();
    await ui.enter(key);

    const cells = page.getByRole("row", { name: flag(1) }).getByRole("cell");
    await expect
      .poll(() => cells.last().innerText(), patient)
      .toContain("not listed; open the flag to see it");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

it("filters by tag, by state and by environment", async () => {
  await ui.onServer(6, async () => {
    const { page } = ui;
    await ui.expectCount("6 flags");
    await page.getByRole("button", { name: "odd" }).first().press("Enter");
    await ui.expectCount("3 of 6 flags");
    await page.getByLabel("Tag", { exact: true }).selectOption("");
    await page.getByLabel("State", { exact: true }).selectOption("off");
    await ui.expectCount("0 of 6 flags");
    await ui.press("Show all flags");
    await page.getByLabel("State", { exact: true }).selectOption("differs");
    await ui.expectCount("6 flags");
    await page.getByLabel("Environment", { exact: true }).selectOption("staging");
    await ui.expectCount("0 of 6 flags");
  });
});

it("keeps the focus at the end of 2,000 rows, and takes Ctrl-F", async () => {
  await ui.onServer(2000, async () => {
    const { page } = ui;
    await ui.expectCount("2,000 flags", { timeout: 60_000 });
    // Only the rows in sight are drawn.
    expect(await page.locator(".rows [role=row]").count()).toBeLessThan(40);
    await ui.toggle("production", flag(2)).focus();
    await page.keyboard.press("End");
    await page.getByRole("link", { name: flag(1999), exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("flag-2 in production");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("1234 even");
    await ui.expectCount("1 of 2,000 flags");
  });
});

it("has words and a way on for an empty project, a key that may not read, and a server that is away", async () => {
  await ui.onServer(1, async (server) => {
    const { page } = ui;
    await page.getByRole("link", { name: flag(0) }).waitFor();
    const board = () => page.locator("body").innerText();
    await page.getByLabel("Project").selectOption("empty");
    await expect.poll(board, patient).toContain("empty has no flags yet");
    expect(page.url()).toContain("#project=empty");
    await ui.expectAccessible();
    await page.goBack();
    await page.getByRole("link", { name: flag(0) }).waitFor();

    await page.getByLabel("Search names and tags").fill("nothing like it");
    await expect.poll(board, patient).toContain("No flag matches nothing like it.");
    await ui.press("Show all flags");
    await page.getByRole("link", { name: flag(0) }).waitFor();

    await page.route("**/api/**", (route) => route.abort());
    await ui.press("Change the key");
    await ui.enter(key);
    await expect.poll(board, patient).toContain(`No response from ${server.url}`);
    await page.unroute("**/api/**");
    await ui.press("Try again");
    await expect.poll(board, patient).not.toContain("No response");

    await ui.press("Change the key");
    await ui.enter("burgee-key-with-a-€");
    await expect.poll(board, patient).toContain("a character that no header can carry; copy it again");
    await ui.enter("burgee-key-of-an-sdk-alone");
    await expect.poll(board, patient).toContain("The API key has no permission to read");
    await ui.enter(readerKey);
    await ui.toggle("production", flag(0)).click();
    await ui.expectConfirmation(/This key lacks UPDATE_FEATURE_ENVIRONMENT in production\./);
    expect(await page.getByRole("button", { name: "Switch off" }).isEnabled()).toBe(false);
  });
});

it("lists the first flag of a project after it was created, and says that there is none after its deletion", async () => {
  await ui.onServer(1, async () => {
    const { page } = ui;
    await page.getByLabel("Project", { exact: true }).selectOption("empty");
    await ui.press("New flag");
    await page.getByLabel("Name of the new flag").fill("first");
    await ui.press("Create");
    await page.getByRole("heading", { name: "Last changes" }).waitFor();
    await page.getByRole("link", { name: "All flags" }).click();

    await page.getByRole("link", { name: "first", exact: true }).click();
    await ui.press("Delete flag");
    await ui.press("Delete it");
    await expect.poll(() => page.locator("main").innerText(), patient).toContain("empty has no flags yet");
  });
});

it("names the project of its address that does not exist, and goes on to another one", async () => {
  await ui.onServer(1, async ({ url }) => {
    const { page } = ui;
    await page.goto("about:blank");
    await page.goto(`${url}/patch#project=defalt`);
    await ui.enter(key);
    await page.getByText("There is no project defalt that this API key can read").waitFor();
    await page.getByLabel("Project").selectOption("default");
    await page.getByRole("link", { name: flag(0) }).waitFor();
  });
});

it("keeps the board while another key is entered, until Cancel or Show, and says that a key is not valid", async () => {
  await ui.onServer(1, async () => {
    const { page } = ui;
    const row = page.getByRole("link", { name: flag(0) });
    await row.waitFor();
    await ui.press("Change the key");
    expect(await page.evaluate("document.activeElement.name")).toBe("key");
    expect(await row.count()).toBe(1);
    await ui.press("Cancel");
    await ui.press("Change the key");
    await ui.enter("burgee-key-that-is-unknown");
    await page.getByText("This API key is not valid: it is unknown, revoked or expired").waitFor();
    await ui.enter(key);
    await row.waitFor();
  });
});

it("draws a rollout as long as its share of users, and says from what an environment differs", async () => {
  await ui.onServer(4, async () => {
    const { page } = ui;
    await ui.expectCount("4 flags");
    const cell = page.getByRole("row", { name: "flag-3 odd" }).getByRole("cell").last();
    const bar = await cell.locator(".stack").boundingBox();
    const rest = await cell.locator(".stack .none").boundingBox();
    expect((rest?.width ?? 0) / (bar?.width ?? 1)).toBeCloseTo(0.75, 1);
    await cell.getByTitle("differs from development, apart from the switch").waitFor();
  });
});

it("draws no variant of a rollout of 0 %", async () => {
  await ui.onServer(4, async ({ url }) => {
    const path = `${url}/api/admin/projects/default/features/${flag(3)}/environments/production`;
    const parameters = { rollout: "0", stickiness: "userId", groupId: "search" };
    await fetch(path, {
      method: "PATCH",
      headers: { authorization: key, "content-type": "application/json" },
      body: JSON.stringify([
        { op: "add", path: "/strategies", value: { none: { name: "flexibleRollout", parameters } } },
      ]),
    });
    await ui.page.reload();
    await ui.enter(key);
    const cell = ui.page
      .getByRole("row", { name: `${flag(3)} odd` })
      .getByRole("cell")
      .last();
    await cell.getByText(/^\s*(differs\s*)?0 % by userId/).waitFor();
    expect(await cell.locator(".stack .none").count()).toBe(1);
    expect(await cell.locator(".stack i:not(.none)").count()).toBe(0);
  });
});

it("offers a password manager the fields of a login", async () => {
  const field = ui.page.getByLabel("API key", { exact: true }).last();
  expect(await field.getAttribute("autocomplete")).toBe("current-password");
  expect(await ui.page.locator("form [autocomplete=username]").inputValue()).toBe("burgee");
});

it.each(["light", "dark"] as const)(
  "has no violation that axe-core finds in %s, and fits 390 pixels",
  async (colorScheme) => {
    await ui.onServer(6, async () => {
      await ui.page.emulateMedia({ colorScheme });
      await ui.page.getByRole("link", { name: flag(0) }).waitFor();
      await ui.expectAccessible();
      await ui.expectNarrow();
      await ui.expectAccessible();
      await ui.toggle("production", flag(2)).click();
      await ui.expectConfirmation(/goes off/);
      await ui.expectAccessible();
      await ui.expectNarrow();
    });
  },
);

/** What moved without a press or a key just before it, from where to where, as browsers report it. */
const layoutShift = `new Promise((resolve) => {
  const shifts = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const nameOf = ({ node, previousRect, currentRect }) =>
    [node?.nodeName, node?.className, previousRect.x, previousRect.y, currentRect.x, currentRect.y].join(" ");
  const moved = () => shifts.filter((each) => !each.hadRecentInput).flatMap(({ sources }) => sources.map(nameOf));
  setTimeout(() => resolve(moved()), 300);
})`;

it.each([1280, 390])("moves nothing while the board and a feature load, at %i pixels", async (width) => {
  await ui.onServer(90, async (server) => {
    const { page } = ui;
    await page.setViewportSize({ width, height: 844 });
    await page.goto("about:blank");
    // No input comes before what is loaded.
    await page.route("**/api/**", async (route) => {
      await setTimeout(700);
      await route.continue();
    });
    await page.goto(`${server.url}/patch`);
    await ui.enter(key);
    await ui.expectCount("90 flags");
    expect(await page.evaluate(layoutShift)).toEqual([]);

    await page.goto("about:blank");
    await page.goto(`${server.url}/patch#project=default&feature=${flag(3)}`);
    await ui.enter(key);
    await page.getByRole("heading", { name: "Last changes" }).waitFor();
    expect(await page.evaluate(layoutShift)).toEqual([]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
