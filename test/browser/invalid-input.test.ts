/** What a user types or chooses that is invalid stays, is marked, and is explained; nothing is drafted from it. */
import { expect, it } from "vitest";
import { patient, usePage } from "./page.ts";

const ui = usePage("writes");

it.each(["140", "-3", "abc", "1.2.3", ""])("keeps and marks the percentage %j", async (typed) => {
  await ui.openFlag();
  const field = ui.page.getByRole("textbox", { name: "Percent of blue in production", exact: true });
  await field.fill(typed);
  await ui.page.keyboard.press("Tab");
  await ui.expectText("production", /It must be a number from 0 to 100\./);
  expect(await field.inputValue()).toBe(typed);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await ui.confirmation().count()).toBe(0);
  await ui.expectAccessible();

  await field.press("Escape");
  expect(await field.inputValue()).toBe("50 %");
  await expect.poll(() => field.getAttribute("aria-invalid"), patient).toBe("false");
  await field.fill("20");
  await field.press("Enter");
  await ui.expectConfirmation(/put blue at 20 %/);
});

it.each(["140", "-3", "abc"])("refuses the share %j of a new variant", async (typed) => {
  await ui.openFlag();
  const production = ui.region("production");
  await production.getByRole("button", { name: "Add a variant" }).click();
  await production.getByLabel("Name", { exact: true }).fill("green");
  await production.getByLabel(/^Percent, or empty/).fill(typed);
  await ui.page.keyboard.press("Enter");
  await ui.expectText("production", /It must be a number from 0 to 100\./);
  expect(await ui.confirmation().count()).toBe(0);
});

it("refuses the name of another variant, which would be replaced with all that it has", async () => {
  await ui.openFlag();
  const production = ui.region("production");
  await production.getByRole("button", { name: "Add a variant" }).click();
  await production.getByLabel("Name", { exact: true }).fill("blue");
  await ui.page.keyboard.press("Enter");
  await ui.expectText("production", /There is a variant blue already\./);
  await production.getByRole("button", { name: "Cancel" }).click();
  await production.getByLabel("More of red in production").click();
  const name = production.getByRole("textbox", { name: "Name of red", exact: true });
  await name.fill("blue");
  await name.press("Enter");
  await ui.expectText("production", /There is a variant blue already\./);
  expect(await name.inputValue()).toBe("blue");
  expect(await ui.confirmation().count()).toBe(0);
  await ui.expectAccessible();
});

it("keeps and marks an invalid limit of moves", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.set("Percent of users that may get something else", "140");
  await ui.expectConfirmation(/It must be a number from 0 to 100\./);
  const limit = ui.page.getByLabel("Percent of users that may get something else");
  expect(await limit.inputValue()).toBe("140");
});

it("refuses fractions of a rollout, as the command line does", async () => {
  await ui.openFlag();
  const production = ui.region("production");
  await production.getByRole("button", { name: "Limit who gets the flag" }).click();
  const rollout = production.getByRole("textbox", { name: /^Rollout in production/ });
  await rollout.fill("12.5");
  await rollout.press("Enter");
  await ui.expectText("production", /It must be a whole number from 0 to 100\./);
  expect(await rollout.inputValue()).toBe("12.5");
  await rollout.fill("12 %");
  await rollout.press("Enter");
  await ui.confirm("Apply in production");
  await expect
    .poll(async () => Object.values((await ui.stored("production")).strategies), patient)
    .toMatchObject([{ parameters: { rollout: "12" } }]);
});

it("says why nothing can be promoted", async () => {
  await ui.openFlag();
  await ui.press("Promote");
  const form = ui.page.getByRole("group", { name: "Promote" });
  const preview = form.getByRole("button", { name: "Preview" });
  await form.getByLabel("From").selectOption("production");
  await preview.click();
  await form.getByText("From and to are the same environment; choose two different ones.").waitFor();
  await form.getByLabel("From").selectOption("development");
  for (const part of await form.getByRole("checkbox").all()) await part.uncheck();
  await preview.click();
  await form.getByText("Nothing is ticked; tick what to copy.").waitFor();
  expect(await ui.confirmation().count()).toBe(0);
  await form.getByLabel("Variants").check();
  await preview.click();
  await ui.expectConfirmation(/In production:/);
});

it("keeps and marks a name that no guard can have", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  const guard = ui.page.getByRole("textbox", { name: "Name of the guard", exact: true });
  await guard.fill("checkout\u200berrors");
  await guard.press("Enter");
  await ui.expectConfirmation(/It must be URL-friendly: letters, digits and -_/);
  expect(await guard.getAttribute("aria-invalid")).toBe("true");
  expect(await guard.isEditable()).toBe(true);
});
