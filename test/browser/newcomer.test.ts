/** A newcomer's path, clicked: find a flag, switch it, undo, roll out, promote, delete and restore. */
import { expect, it } from "vitest";
import { key, patient, usePage } from "./page.ts";

const ui = usePage("writes");

const link = (name: string) => ui.page.getByRole("link", { name, exact: true });
const strategiesIn = async (environment: string) => Object.values((await ui.stored(environment)).strategies);

it("goes from the board to a flag that is rolled out, promoted, deleted and restored", async () => {
  await ui.enter(key);
  await ui.page.getByLabel("Search names and tags").pressSequentially("check");
  await expect.poll(() => link("search").count(), patient).toBe(0);

  await ui.toggle("development").click();
  await ui.confirm("Switch on");
  await expect.poll(async () => (await ui.stored("development")).enabled, patient).toBe(true);
  await ui.press("Undo in development");
  await ui.confirm("Undo the change");
  await expect.poll(async () => (await ui.stored("development")).enabled, patient).toBe(false);

  await link("checkout").click();
  const development = ui.region("development");
  await development.getByRole("button", { name: "Limit who gets the flag" }).click();
  await development.getByRole("textbox", { name: /^Rollout in development/ }).fill("25");
  await ui.page.keyboard.press("Enter");
  await ui.confirm("Apply in development");
  const quarter = [{ parameters: { rollout: "25" } }];
  await expect.poll(() => strategiesIn("development"), patient).toMatchObject(quarter);

  await ui.press("Promote");
  const form = ui.page.getByRole("group", { name: "Promote" });
  await form.getByLabel("From").selectOption("development");
  await form.getByRole("button", { name: "Preview" }).click();
  await ui.confirm("Apply in production");
  await expect.poll(() => strategiesIn("production"), patient).toMatchObject(quarter);

  await ui.press("Delete flag");
  await ui.press("Delete it");
  await ui.press("Restore");
  await ui.page.getByRole("heading", { name: "checkout", exact: true }).waitFor();
  expect(await strategiesIn("production")).toMatchObject(quarter);
  expect(ui.complaints).toEqual([]);
});
