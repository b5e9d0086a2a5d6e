/** The board: every flag of a project, found among many, and what it says where there is none. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { flag, patient, useBoard } from "./board.ts";
import { key, readerKey } from "./patch-page.ts";

const ui = useBoard();

it("keeps place and search on the way to a feature and back", async () => {
  await ui.onServer(300, async () => {
    const { page } = ui;
    await ui.expectCount("300 flags");
    await page.getByLabel("Search names and tags").fill("odd");
    await page.evaluate("scrollTo(0, 3000)");
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await ui.expectSummary("As it is stored");
    expect(await page.title()).toBe(`Burgee: ${flag(91)}`);

    await page.getByRole("link", { name: "All flags" }).click();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    await ui.expectCount("150 of 300 flags");
    await page.getByRole("link", { name: flag(91), exact: true }).waitFor();
    await page.getByRole("link", { name: flag(91), exact: true }).click();
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY"), patient).toBe(3000);
    expect(await page.title()).toBe("Burgee: flags of default");
  });
});

it("shows what differs from the first environment, filters by a tag", async () => {
  await ui.onServer(6, async () => {
    const { page } = ui;
    await ui.expectCount("6 flags");
    const cells = page.getByRole("row", { name: flag(1) }).getByRole("cell");
    expect(await cells.allInnerTexts()).toEqual([
      expect.not.stringContaining("differs"),
      expect.not.stringContaining("differs"),
      expect.stringMatching(/differs\s+blue 90 % · green 10 %/),
    ]);
    await cells.first().getByRole("img", { name: "blue 50 % · green 50 %" }).waitFor();

    await page.getByRole("button", { name: "odd" }).first().press("Enter");
    await ui.expectCount("3 of 6 flags");
    await page.getByRole("button", { name: "All tags, not only odd" }).click();
    await ui.expectCount("6 flags");
  });
});

it("has words and a way on for an empty project, a key that may not read, and a server that is away", async () => {
  await ui.onServer(1, async (server) => {
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
    await ui.toggle(flag(0), "production").click();
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
  await ui.onServer(150, async (server) => {
    const { page } = ui;
    await page.setViewportSize({ width, height: 844 });
    await page.goto("about:blank");
    // No input comes before what is loaded.
    await page.route("**/api/**", async (route) => {
      await setTimeout(700);
      await route.continue();
    });
    await page.goto(`${server.url}/patch`);
    await ui.show({ key });
    await ui.expectCount("150 flags");
    expect(await page.evaluate(layoutShift)).toEqual([]);

    await page.goto("about:blank");
    await page.goto(`${server.url}/patch#project=default&feature=${flag(3)}`);
    await ui.show({ key });
    await ui.expectSummary("As it is stored");
    expect(await page.evaluate(layoutShift)).toEqual([]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
