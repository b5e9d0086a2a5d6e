/** The page that previews a patch: the last changes of the feature, and undoing them. */
import { expect, it } from "vitest";
import {
  expectAccessible,
  expectEnabled,
  expectNotices,
  expectSummary,
  outcomes,
  patchElsewhere,
  patchText,
  press,
  stopping,
  storedEverywhere,
  usePage,
  variant,
  write,
} from "./patch-page.ts";

const opened = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

function list() {
  return opened.page.getByRole("region", { name: "Last changes" }).getByRole("listitem");
}

function pressUndo(): Promise<void> {
  return list()
    .first()
    .getByRole("button", { name: /^Undo: / })
    .click();
}

async function stickiness(): Promise<(string | undefined)[]> {
  return (await storedEverywhere(opened.server)).map(([first]) => first?.stickiness);
}

async function applied(): Promise<void> {
  const { page } = opened;
  await write(page, sticky);
  await expectSummary(page, "would change");
  await press(page, "Apply");
  await expectNotices(page, /^Applied, as previewed.$/);
  await expect.poll(() => list().count()).toBe(1);
}

it("lists the changes with what each did, undoes one after a preview, and undoes the undo", async () => {
  const { page } = opened;
  await applied();
  expect(await list().allInnerTexts()).toEqual([
    expect.stringMatching(/^Change by test, .*\s+Undo\s+development\s+replace \/blue\/stickiness "userId"/),
  ]);

  await pressUndo();
  await expectSummary(page, "The undo would change development, staging, production.");
  expect(await variant(page, "production", 0).innerText()).toMatch(/stickiness\s+userId → default/);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await press(page, "Undo it");

  await expectNotices(page, /^Undone, as previewed.$/);
  expect(await stickiness()).toEqual(["default", "default", "default"]);
  await expect.poll(() => list().count()).toBe(2);
  expect(await list().nth(0).innerText()).toMatch(/^Undo by test, .*Undo/s);
  expect(await list().nth(1).getByRole("button").count()).toBe(0);

  await pressUndo();
  await expectSummary(page, "The undo would change development, staging, production.");
  await press(page, "Undo it");
  await expectNotices(page, /^Undone, as previewed.$/);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
});

it("keeps the patch that is being written, for after the undo", async () => {
  const { page } = opened;
  await applied();
  await write(page, stopping);
  await pressUndo();
  await expectSummary(page, "The undo would change");

  await press(page, "Back to the patch");

  await expectSummary(page, "would stop in production");
  expect(await patchText(page)).toEqual(stopping);
});

it("does not undo what was changed since, and says by which change", async () => {
  const { page, server } = opened;
  await applied();
  await pressUndo();
  await expectSummary(page, "The undo would change");
  await patchElsewhere(server, "production", [{ op: "remove", path: "/red" }]);

  await press(page, "Undo it");

  await expectNotices(page, /^Nothing was undone\s+Another request has changed the variants.*red\s+removed/s);
  await press(page, "I have seen it");
  await expectSummary(page, "The undo is not possible in production; nothing would be written.");
  expect(await outcomes(page)).toEqual(["not attempted", "not attempted", "failed"]);
  const production = page.getByRole("region", { name: "production", exact: true });
  expect(await production.innerText()).toMatch(/changed since; undo the later changes first: \S+ by "test"/);
  await expectEnabled(page, "Undo it", false);
  expect(await stickiness()).toEqual(["userId", "userId", "userId"]);
});
