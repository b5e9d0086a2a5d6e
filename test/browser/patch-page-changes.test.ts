/** The page that previews a patch: the last changes of the feature, and undoing them. */
import { expect, it } from "vitest";
import { stopping, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

function list() {
  return ui.page.getByRole("region", { name: "Last changes" }).getByRole("listitem");
}

function pressUndo(): Promise<void> {
  return list()
    .first()
    .getByRole("button", { name: /^Undo: / })
    .click();
}

async function stickiness(): Promise<(string | undefined)[]> {
  return (await ui.storedEverywhere()).map(([first]) => first?.stickiness);
}

async function applied(): Promise<void> {
  await ui.write(sticky);
  await ui.expectSummary("would change");
  await ui.press("Apply");
  await ui.expectNotices(/^Applied, as previewed.$/);
  await expect.poll(() => list().count()).toBe(1);
}

it("lists the changes with what each did, undoes one after a preview, and undoes the undo", async () => {
  const { page } = ui;
  await applied();
  expect(await list().allInnerTexts()).toEqual([
    expect.stringMatching(/^Change by test, .*\s+Undo\s+development\s+replace \/blue\/stickiness "userId"/),
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

  await ui.expectNotices(/^Undone, as previewed.$/);
  expect(await stickiness()).toEqual(["default", "default", "default"]);
  await expect.poll(() => list().count()).toBe(2);
  expect(await list().nth(0).innerText()).toMatch(/^Undo by test, .*Undo/s);
  expect(await list().nth(1).getByRole("button").count()).toBe(0);

  await pressUndo();
  await ui.expectSummary("The undo would change development, staging, production.");
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone, as previewed.$/);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
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
  expect(await production.innerText()).toMatch(/changed since; undo the later changes first: \S+ by "test"/);
  await ui.expectEnabled("Undo it", false);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
});
