/** The page that previews a patch: the last changes of the feature, and undoing them. */
import { expect, it } from "vitest";
import { everywhere, stopping, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

function list() {
  return ui.page.getByRole("region", { name: "Last changes" }).getByRole("listitem");
}

function pressUndo(): Promise<void> {
  return list()
    .first()
    .getByRole("button", { name: /^Undo in .*: / })
    .first()
    .click();
}

async function stickiness(): Promise<(string | undefined)[]> {
  return (await ui.storedEverywhere()).map(([first]) => first?.stickiness);
}

async function applied(): Promise<void> {
  await ui.write(sticky);
  await ui.expectSummary("would change");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in /);
  await expect.poll(() => list().count()).toBe(1);
}

async function undone(): Promise<void> {
  await pressUndo();
  await ui.expectSummary("The undo would change development, staging, production.");
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone: checkout in /);
  await expect.poll(() => list().count()).toBe(2);
}

it("lists the changes with what each did, and undoes one after a preview", async () => {
  const { page } = ui;
  await applied();
  expect(await list().allInnerTexts()).toEqual([
    expect.stringMatching(
      /^Change by test, .*\s+\S+\s+Undo in all 3 environments\s+development\s+replace \/blue\/stickiness "userId"/,
    ),
  ]);

  await pressUndo();
  await ui.expectSummary("The undo would change development, staging, production.");
  expect(await ui.variant("production", 0).innerText()).toMatch(/stickiness\s+userId → default/);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await ui.expectAccessible();
  }
  await ui.press("Undo it");

  await ui.expectNotices(/^Undone: checkout in /);
  expect(await stickiness()).toEqual(["default", "default", "default"]);
});

it("says by which undo a change was undone, and makes it again by a patch that is previewed first", async () => {
  await applied();
  await undone();
  const [undo = "", change = ""] = await list().locator("> small").allInnerTexts();
  expect(await list().nth(0).innerText()).toMatch(new RegExp(`^Undo by test, .*It undoes ${change}`, "s"));
  expect(await list().nth(1).innerText()).toMatch(new RegExp(`^Change by test, .*Undone by ${undo}`, "s"));
  expect(await list().getByRole("button").allInnerTexts()).toEqual(["Make again in all 3 environments"]);
  await ui.expectAccessible();
  const sent = ui.writes().length;

  await list().nth(1).getByRole("button").click();

  expect(await ui.patchText()).toEqual(sticky);
  await ui.expectSummary("The patch would change development, staging, production.");
  expect(ui.writes().length).toBe(sent);
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in /);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
  await expect
    .poll(() => list().nth(0).getByRole("button").allInnerTexts())
    .toEqual(["Undo in all 3 environments"]);
});

it("makes a change again in one environment where what it did is not the same in all", async () => {
  await ui.write(everywhere);
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in /);
  await undone();
  await ui.choose({ "Variants by": "index" });
  await ui.write(sticky);

  const again = list()
    .nth(1)
    .getByRole("button", { name: /^Make again in staging: / });
  await again.click();
  await again.click();

  expect(await ui.page.locator("[name=environment]").inputValue()).toBe("staging");
  expect(await ui.page.getByLabel("Variants by").inputValue()).toBe("name");
  await ui.expectSummary("The patch would change staging.");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in staging\s+Undo in staging$/);
  expect(await ui.page.locator("[name=environment]").inputValue()).toBe("");
  expect(await ui.stored("staging")).toMatchObject([{ weight: 475 }, { weight: 475 }, { weight: 50 }]);
  await ui.press("Bring back the patch of checkout");
  expect(await ui.patchText()).toEqual(sticky);
  expect(await ui.page.locator("[name=environment]").inputValue()).toBe("");
  expect(await ui.page.getByLabel("Variants by").inputValue()).toBe("index");
});

it("makes a change again by one request where only those environments lack it", async () => {
  await ui.patchElsewhere("staging", sticky);
  await ui.press("Show");
  await ui.write(sticky);
  await ui.expectSummary("The patch would change development, production.");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in development, production/);
  await expect.poll(() => list().count()).toBe(2);
  await pressUndo();
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone: checkout in /);
  await ui.choose({ Environment: "production" });
  await ui.expectSummary("As it is stored");
  const sent = ui.writes().length;

  await list()
    .getByRole("button", { name: /^Make again in development, production: / })
    .click();
  await ui.expectSummary("The patch would change development, production.");
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in development, production/);
  expect(ui.writes().length).toBe(sent + 1);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
  expect(await ui.page.locator("[name=environment]").inputValue()).toBe("production");
});

it("says where a change is undone in some environments, and that older changes are kept", async () => {
  const { page } = ui;
  await applied();
  await ui.choose({ Environment: "staging" });
  await ui.expectSummary("As it is stored");
  await list()
    .first()
    .getByRole("button", { name: /^Undo in staging: / })
    .click();
  await ui.expectSummary("The undo would change staging.");
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone: checkout in /);

  await expect.poll(() => list().nth(1).innerText()).toMatch(/Undone by \S+ in staging\./);
  const buttons = () => list().nth(1).getByRole("button").allInnerTexts();
  expect(await buttons()).toEqual(["Undo in development, production", "Make again in staging"]);
  await ui.choose({ Environment: "production" });
  await expect
    .poll(buttons)
    .toEqual(["Undo in development, production", "Undo in production", "Make again in staging"]);

  for (let count = 0; count < 20; count += 1) {
    await ui.patchElsewhere("production", [{ op: "replace", path: "/red/stickiness", value: `${count}` }]);
  }
  expect(await page.getByText("Older changes are kept").count()).toBe(0);
  await ui.press("Show");
  await page.getByText("Older changes are kept").waitFor();
});

it("keeps the patch that is being written, for after the undo", async () => {
  await applied();
  await ui.write(stopping);
  await pressUndo();
  await ui.expectSummary("The undo would change");

  await ui.press("Back to the patch");

  await ui.expectSummary("would stop in production");
  expect(await ui.patchText()).toEqual(stopping);
});

it("does not undo what was changed since, and says by which change", async () => {
  const { page } = ui;
  await applied();
  await pressUndo();
  await ui.expectSummary("The undo would change");
  await ui.patchElsewhere("production", [{ op: "remove", path: "/red" }]);

  await ui.press("Undo it");

  await ui.expectNotices(/^Nothing was undone\s+Another request has changed the variants.*red\s+removed/s);
  await ui.press("I have seen it");
  await ui.expectSummary("The undo is not possible in production; nothing would be written.");
  expect(await ui.outcomes()).toEqual(["not attempted", "not attempted", "failed"]);
  const production = page.getByRole("region", { name: "production", exact: true });
  expect(await production.innerText()).toMatch(/It was changed since; undo \S+ first/);
  await ui.expectEnabled("Undo it", false);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
});
