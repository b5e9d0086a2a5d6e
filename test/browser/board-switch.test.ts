/** Switching a flag on the board: asked in place, seen by SDKs, undone, and kept apart from what other tabs do. */
import { expect, it } from "vitest";
import { startUnleash } from "../support/sdks.ts";
import { flag, useBoard } from "./board.ts";
import { key, patient } from "./page.ts";

const ui = useBoard();
const nameOfFocused = `(({ ariaLabel, labels, innerText }) =>
  ariaLabel ?? labels?.[0]?.innerText ?? innerText)(document.activeElement)`;

it("switches a flag off in production beside its switch, an SDK follows, and takes it back", async () => {
  await ui.onServer(40, async (server) => {
    const unleash = await startUnleash(server.url, key);
    const isSeen = () => unleash.isEnabled(flag(12));
    expect(isSeen()).toBe(true);
    await ui.page.getByLabel("Search names and tags").pressSequentially("12 even");
    await ui.toggle("production", flag(12)).click();
    await ui.expectConfirmation(
      /goes off in production\.\s+SDKs stop seeing it within 6 seconds.*development and staging stay on\./s,
    );
    const [asked, row] = [
      await ui.confirmation().boundingBox(),
      await ui.page.locator(".rows [role=row]").boundingBox(),
    ];
    expect((asked?.y ?? 0) - (row?.y ?? 0)).toBeLessThan(100);
    expect(ui.writes()).toEqual([]);
    await ui.confirm("Switch off");

    await ui.expectConfirmation(/flag-12 is off in production\./);
    await ui.expectOn(flag(12), "production", false);
    expect(await ui.page.locator(".rows [role=row]").innerText()).toMatch(/\n\s*blue 90 % · green 10 %/);
    await expect.poll(isSeen, patient).toBe(false);
    await ui.expectAccessible();
    await ui.press("Undo in production");
    await ui.expectConfirmation(/Undo this change in production\?\s+test switched production off/);
    await ui.confirm("Undo the change");
    await ui.expectOn(flag(12), "production", true);
    await expect.poll(isSeen, patient).toBe(true);
  });
});

it("asks in sight below the switch of the last row of a low window", async () => {
  await ui.onServer(6, async () => {
    const { page } = ui;
    await page.setViewportSize({ width: 1280, height: 560 });
    await ui.expectCount("6 flags");
    const last = ui.toggle("production", flag(5));
    await last.scrollIntoViewIfNeeded();
    await last.click();
    await ui.expectConfirmation(/goes off in production\./);
    const isInSight = async () => {
      const box = await ui.confirmation().boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 560;
    };
    await expect.poll(isInSight, patient).toBe(true);
  });
});

it("says what it has switched, and offers its undo, where a filter no longer lists the flag", async () => {
  await ui.onServer(6, async () => {
    const { page } = ui;
    await page.getByLabel("State", { exact: true }).selectOption("on");
    await page.getByLabel("Environment", { exact: true }).selectOption("production");
    await ui.toggle("production", flag(2)).click();
    await ui.expectConfirmation(/goes off in production\./);
    await page.getByLabel("Search names and tags").fill("even");
    await page.getByLabel("Search names and tags").fill("odd");
    await ui.confirm("Switch off");

    await ui.expectConfirmation(/flag-2 is off in production\./);
    expect(await page.evaluate("document.activeElement.className")).toContain("confirmation");
    await ui.press("Undo in production");
    await ui.confirm("Undo the change");
    await ui.expectConfirmation(/Undone in production\./);
    await ui.press("Close");
    await ui.expectCount("3 of 6 flags");
  });
});

it("says that another tab was first, by which key, and why", async () => {
  await ui.onServer(2, async ({ url }) => {
    await ui.toggle("production", flag(1)).click();
    await ui.expectConfirmation(/goes off/);
    const path = `/api/admin/projects/default/features/${flag(1)}/environments/production/off`;
    const headers = { authorization: key, "burgee-reason": "incident%207" };
    expect((await fetch(url + path, { method: "POST", headers })).status).toBe(200);

    await ui.confirm("Switch off");

    await ui.expectConfirmation(
      /flag-1 is off already in production, by test, (?:\d+ seconds ago|just now): incident 7/,
    );
    expect(await ui.confirmation().innerText()).not.toContain("variants");
    await ui.expectOn(flag(1), "production", false);
    expect(await ui.page.locator(".rows [role=row]").last().innerText()).toContain(
      "when on: 25 % by userId · 1 constraint · blue 90 %",
    );
    await ui.press("Close");
    expect(await ui.confirmation().count()).toBe(0);
  });
});

it("says what is known of a switch whose response is lost, and then what a look shows", async () => {
  await ui.onServer(1, async () => {
    const { page } = ui;
    await ui.toggle("production", flag(0)).click();
    await ui.expectConfirmation(/goes off/);
    let isHeld = true;
    await page.route(/environments\/production$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route(/dryRun=true/, async (route) => {
      while (isHeld) await page.waitForTimeout(50);
      await route.continue();
    });
    await ui.confirm("Switch off");

    await ui.expectConfirmation(/flag-0 may be off in production: No response from/);
    expect(await ui.confirmation().innerText()).not.toMatch(/could not|Nothing/);
    isHeld = false;
    await ui.expectConfirmation(/New preview:\s+Already stored in production\./);
    await ui.expectOn(flag(0), "production", false);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

it("shows its own change where the list is a moment behind, and says so", async () => {
  await ui.onServer(2, async (server) => {
    const { page } = ui;
    await ui.expectCount("2 flags");
    const list = `${server.url}/api/admin/projects/default/features?with=environments&limit=100`;
    const listed = await (await fetch(list, { headers: { authorization: key } })).json();
    await ui.toggle("staging", flag(1)).click();
    await ui.confirm("Switch off");
    await ui.expectOn(flag(1), "staging", false);

    await page.route("**/features?with=environments*", (route) => route.fulfill({ json: listed }));
    await ui.press("Change the key");
    await ui.enter(key);

    const toolbar = () => page.locator(".toolbar").innerText();
    await expect
      .poll(toolbar, patient)
      .toContain("flag-1 shows your change; the rest of the list may be a few seconds old.");
    await ui.expectOn(flag(1), "staging", false);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

it("says so where the list is behind a change of strategies", async () => {
  await ui.onServer(2, async (server) => {
    const { page } = ui;
    await ui.expectCount("2 flags");
    const list = `${server.url}/api/admin/projects/default/features?with=environments&limit=100`;
    const headers = { authorization: key, "content-type": "application/json" };
    const listed = await (await fetch(list, { headers })).json();
    const path = `/api/admin/projects/default/features/${flag(1)}/environments/production`;
    const body = JSON.stringify([{ op: "remove", path: "/strategies/gradual" }]);
    expect((await fetch(server.url + path, { method: "PATCH", headers, body })).status).toBe(200);
    await page.getByRole("link", { name: flag(1), exact: true }).click();
    await page.getByRole("heading", { name: "Last changes" }).waitFor();
    await page.getByRole("link", { name: "All flags" }).click();

    await page.route("**/features?with=environments*", (route) => route.fulfill({ json: listed }));
    await ui.press("Change the key");
    await ui.enter(key);

    const toolbar = () => page.locator(".toolbar").innerText();
    await expect.poll(toolbar, patient).toContain("flag-1 shows your change;");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

it("is used by keyboard alone: to a flag, its switch, the undo, and the flag itself", async () => {
  await ui.onServer(60, async (server) => {
    await ui.page.close();
    await ui.openUrl(`${server.url}/patch`);
    const { keyboard } = ui.page;
    const name = async () => (await ui.page.evaluate<string>(nameOfFocused)).trim();
    async function tabTo(wanted: string, by = "Tab"): Promise<void> {
      for (let count = 0; count < 25; count += 1) {
        await keyboard.press(by);
        if ((await name()) === wanted) return;
      }
      throw new Error(`no Tab leads to ${wanted}, but to ${await name()}`);
    }
    await tabTo("API key");
    await keyboard.type(key);
    await keyboard.press("Enter");
    await ui.expectCount("60 flags");
    await keyboard.press("Control+f");
    await keyboard.type("42");
    await ui.expectCount("1 of 60 flags");

    await tabTo("flag-42 in production");
    await keyboard.press("Space");
    await ui.expectConfirmation(/goes off/);
    await keyboard.press("Escape");
    expect(await name()).toBe("flag-42 in production");
    await keyboard.press("Enter");
    await ui.expectConfirmation(/goes off/);
    await tabTo("Switch off");
    await keyboard.press("Enter");
    await ui.expectConfirmation(/is off in production/);
    await tabTo("Undo in production");
    await keyboard.press("Enter");
    await ui.expectConfirmation(/Undo this change in production/);
    await tabTo("Undo the change");
    await keyboard.press("Enter");
    await ui.expectOn(flag(42), "production", true);
    await tabTo("Close");
    await keyboard.press("Enter");
    await tabTo("flag-42", "Shift+Tab");
    await keyboard.press("Enter");
    await ui.page.getByRole("heading", { name: "Last changes" }).waitFor();
  });
});
