/** Switching a flag on the board: asked in place, seen by SDKs, undone, and kept apart from what other tabs do. */
import { expect, it } from "vitest";
import { startUnleash } from "../support/sdks.ts";
import { flag, patient, useBoard } from "./board.ts";
import { key as adminKey } from "./patch-page.ts";

const ui = useBoard();
const nameOfFocused = `(({ ariaLabel, labels, innerText }) =>
  ariaLabel ?? labels?.[0]?.innerText ?? innerText)(document.activeElement)`;

it("finds a flag among 2,000 by typing, switches it off in production, an SDK follows, and undoes it", async () => {
  await ui.onServer(2000, async (server) => {
    const { page } = ui;
    const unleash = await startUnleash(server.url, adminKey);
    const isSeen = () => unleash.isEnabled(flag(1234));
    expect(isSeen()).toBe(true);
    await ui.expectCount("2,000 flags", { timeout: 60_000 });
    // Only the rows in sight are drawn.
    expect(await page.locator(".rows [role=row]").count()).toBeLessThan(40);
    await page.getByLabel("Search names and tags").pressSequentially("1234 even");
    await ui.expectCount("1 of 2,000 flags");
    await ui.toggle(flag(1234), "production").click();
    const ask = await ui.question("off", flag(1234), "production");
    await ui.expectText(
      ask,
      /goes off in production. SDKs stop seeing it within 5 seconds.*development and staging stay on\./s,
    );
    expect(ui.writes()).toEqual([]);
    await ui.expectAccessible();
    await ask.getByRole("button", { name: "Switch off" }).click();

    await ui.expectText(ask, /is off in production/);
    await ui.expectOn(flag(1234), "production", false);
    await expect.poll(isSeen, patient).toBe(false);
    await ui.expectAccessible();
    await ask.getByRole("button", { name: "Undo in production" }).click();
    await ui.expectOn(flag(1234), "production", true);
    await expect.poll(isSeen, patient).toBe(true);
  });
});

it("says where another tab was first, and that nothing is left to switch", async () => {
  await ui.onServer(2, async ({ url }) => {
    const first = ui.page;
    await ui.toggle(flag(0), "production").click();
    const ask = await ui.question("off", flag(0), "production");
    await ui.openUrl(`${url}/patch`);
    await ui.show({ key: adminKey });
    await ui.toggle(flag(0), "production").click();
    const other = await ui.question("off", flag(0), "production");
    await other.getByRole("button", { name: "Switch off" }).click();
    await ui.expectText(other, /is off in production/);

    await ask.getByRole("button", { name: "Switch off" }).click();

    await ui.expectText(ask, /could not be switched off in production. Another request has changed/);
    await ui.expectOn(flag(0), "production", false, first);
    await ask.getByRole("button", { name: "Try again" }).click();
    await ui.expectText(ask, /is off in production already/);
    expect(await ask.getByRole("button").allInnerTexts()).toEqual(["Close"]);
    await first.close();
  });
});

it("says before and after that SDKs will not see a switch, and why", async () => {
  const place = { project: "default", environment: "production", format: "unleash" };
  const documents = [{ ...place, document: { version: 2, features: [] } }];
  const why = "SDKs of Unleash will not see the switch: the stored document lacks the feature";
  await ui.onServer(
    1,
    async () => {
      await ui.toggle(flag(0), "production").click();
      const ask = await ui.question("off", flag(0), "production");
      await ui.expectText(ask, new RegExp(`goes off in production. ${why}\\. development and staging`));
      await ask.getByRole("button", { name: "Switch off" }).click();
      await ui.expectText(ask, new RegExp(`is off in production. production: ${why}`));
    },
    documents,
  );
});

it("shows its own change where the list is a moment behind, and says so", async () => {
  await ui.onServer(2, async (server) => {
    const { page } = ui;
    await ui.expectCount("2 flags");
    const list = `${server.url}/api/admin/projects/default/features?with=environments&limit=100`;
    const response = await fetch(list, { headers: { authorization: adminKey } });
    const listed = await response.json();
    await ui.toggle(flag(1), "staging").click();
    const ask = await ui.question("off", flag(1), "staging");
    await ask.getByRole("button", { name: "Switch off" }).click();
    await ui.expectOn(flag(1), "staging", false);

    await page.route("**/features?with=environments*", (route) => route.fulfill({ json: listed }));
    await ui.press("Show");

    const toolbar = page.locator(".toolbar");
    await ui.expectText(toolbar, /The list is a moment behind: flag-0001 is shown as you changed it\./);
    await ui.expectOn(flag(1), "staging", false);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await ui.press("Show");
    await expect.poll(() => toolbar.innerText(), patient).not.toContain("behind");
    await ui.expectOn(flag(1), "staging", false);
  });
});

it("is used by keyboard alone: to a flag, its switch, the undo, and the flag itself", async () => {
  await ui.onServer(60, async (server) => {
    await ui.page.close();
    await ui.openUrl(`${server.url}/patch`);
    const { keyboard } = ui.page;
    const name = () => ui.page.evaluate<string>(nameOfFocused);
    async function tabTo(wanted: string, key = "Tab"): Promise<void> {
      for (let count = 0; count < 20; count += 1) {
        await keyboard.press(key);
        if ((await name()).trim() === wanted) return;
      }
      throw new Error(`no Tab leads to ${wanted}, but to ${await name()}`);
    }
    await tabTo("API key");
    await keyboard.type(adminKey);
    await keyboard.press("Enter");
    await ui.expectCount("60 flags");
    await tabTo("Search names and tags");
    await keyboard.type("0042");
    await ui.expectCount("1 of 60 flags");

    await tabTo("flag-0042 in production");
    await keyboard.press("Space");
    const ask = await ui.question("off", flag(42), "production");
    await keyboard.press("Escape");
    expect(await name()).toBe("flag-0042 in production");
    await keyboard.press("Enter");
    await ui.question("off", flag(42), "production");
    await tabTo("Switch off");
    await keyboard.press("Enter");
    await ui.expectText(ask, /is off in production/);
    await tabTo("Undo in production");
    await keyboard.press("Enter");
    await ui.expectText(ask, /is on again in production/);
    await tabTo("Close");
    await keyboard.press("Enter");
    expect(await name()).toBe("flag-0042 in production");
    await tabTo("flag-0042", "Shift+Tab");
    await keyboard.press("Enter");
    await ui.expectSummary("As it is stored");
  });
});

it.each(["light", "dark"] as const)(
  "asks in %s without a violation that axe-core finds, also at 390 pixels",
  async (mode) => {
    await ui.onServer(3, async () => {
      const { page } = ui;
      await page.emulateMedia({ colorScheme: mode });
      await ui.toggle(flag(2), "production").click();
      const ask = await ui.question("off", flag(2), "production");
      await ui.expectAccessible();
      await page.setViewportSize({ width: 390, height: 844 });
      await ui.expectAccessible();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      await ask.getByRole("button", { name: "Switch off" }).click();
      await ui.expectText(ask, /is off in production/);
      await ui.expectAccessible();
    });
  },
);
