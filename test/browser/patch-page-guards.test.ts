/** The page of a feature: what it does not apply, what it says of what it did, and what it does while a server is silent. */
import { expect, it } from "vitest";
import { fileOf } from "../infra/admin/command-line.ts";
import { startServer } from "../support/server.ts";
import { everywhere, key, proposed, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];
const changes = () => ui.page.getByRole("region", { name: "Last changes" }).getByRole("listitem");

it.each([
  ["feature", "search"],
  ["key", "another key"],
])("applies nothing while another %s is typed and not shown", async (field, value) => {
  const input = ui.page.locator(`[name=${field}]`);
  const before = await input.inputValue();
  await ui.write(sticky);
  await ui.expectSummary("would change");
  await ui.expectEnabled("Apply", true);

  await input.fill(value);

  await ui.expectSummary(/^Press Show/);
  await ui.expectEnabled("Apply", false);
  await ui.expectObstacle("Press Show: the fields above name something else than what is shown.");
  await input.fill(before);
  await ui.expectSummary("The patch would change development, staging, production.");
  await ui.expectEnabled("Apply", true);
});

it("applies nothing after another link was opened in the tab, and loads that on request", async () => {
  const page = await ui.follow(await ui.proposal());
  await ui.show({ key });
  await ui.expectEnabled("Apply", true);
  const other = new URLSearchParams({ ...(await ui.proposal()), patch: JSON.stringify(everywhere) });

  await page.evaluate(`location.hash = ${JSON.stringify(String(other))}`);

  await ui.expectNotices(/^Another link was opened/);
  await ui.expectEnabled("Apply", false);
  expect(await ui.patchText()).toEqual(proposed);
  await ui.expectAccessible();
  await ui.press("Load the link");
  expect(await ui.patchText()).toEqual(everywhere);
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in development, staging, production/);
  expect(await ui.stored("production")).toMatchObject([{ stickiness: "default" }, { weight: 50 }]);
});

it("names what it did, and undoes it from there", async () => {
  await ui.choose({ Environment: "production" });
  await ui.write(sticky);
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in production\s+Undo in production$/);

  await ui.press("Undo in production");

  await ui.expectSummary("The undo would change production.");
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone: checkout in production$/);
  expect(await ui.page.locator("[name=environment]").inputValue()).toBe("production");
  // An undo is made again by the change that it has undone.
  await expect.poll(() => changes().count()).toBe(2);
  expect(await changes().nth(0).getByRole("button").count()).toBe(0);
  expect(await changes().nth(1).getByRole("button").allInnerTexts()).toEqual(["Make again in production"]);
});

it("says that a proposal was applied already, by which change", async () => {
  const link = await ui.proposal();
  await ui.follow(link);
  await ui.show({ key });
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout/);
  await expect.poll(() => changes().count()).toBe(1);
  const id = await changes().locator("> small").innerText();

  await ui.follow(link);
  await ui.show({ key });

  await ui.expectNotices(new RegExp(`^A proposal.*It was applied already: change ${id}\\.`, "s"));
  await ui.expectEnabled("Apply", false);
  expect(await ui.page.locator("#notices article").getAttribute("class")).toBe("patched");
});

it("waits 35 seconds for a response, and then says that there was none", async () => {
  const { page } = ui;
  await ui.write(sticky);
  await ui.expectSummary("would change");
  await page.clock.install();
  await page.route(/variants\?by=\w+$/, () => {});
  await ui.press("Apply");
  await ui.expectSummary("Applying...");

  await page.clock.fastForward(36_000);

  await ui.expectNotices(/^The patch may be half done\s+No response/);
  expect(
    await page
      .locator("main")
      .last()
      .evaluate((main) => Object(main).inert),
  ).toBe(false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("says that it has copied a link, and selects it where there is no clipboard", async () => {
  const { page } = ui;
  await ui.write(sticky);
  await ui.expectSummary("would change");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ui.press("Copy a link to this proposal");
  await page.getByText("Copied.").waitFor();

  // As over HTTP from another machine.
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await ui.press("Copy a link to this proposal");

  const field = page.getByLabel("To copy");
  await field.waitFor();
  expect(await field.inputValue()).toContain("/patch#project=default&feature=checkout");
  expect(await page.evaluate("getSelection().toString()")).toContain("/patch#project");
  expect(ui.complaints).toEqual([]);
});

it("adds the first variant of an environment without a weight that could not hold", async () => {
  const { page } = ui;
  await ui.choose({ Environment: "development" });
  await ui.patchElsewhere("development", [{ op: "replace", path: "", value: {} }]);
  await ui.press("Show");
  await ui.expectSummary("As it is stored");
  const group = page.getByRole("group", { name: "Add a variant" });

  expect(await group.getByLabel("Weight").isDisabled()).toBe(true);
  expect(await group.innerText()).toContain(
    "development has no variant: its first one has the whole weight.",
  );
  await group.getByLabel("Name").fill("blue");
  await group.getByRole("button", { name: "Add" }).click();
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in development/);
});

it("folds what a patch leaves as it is, shows the environments above Apply on a phone, and switches one or all", async () => {
  const variants = Array.from({ length: 12 }, (_, index) => ({
    name: `v${index + 10}`,
    weight: index === 0 ? 1000 : 0,
    weightType: index === 0 ? "variable" : "fix",
    stickiness: "default",
    payload: { type: "string", value: "x" },
  }));
  const names = ["dev", "test", "qa", "load", "staging", "production"];
  const environments = Object.fromEntries(names.map((name) => [name, { enabled: true, variants }]));
  const projects = [{ id: "default", environments: names }];
  const apiKeys = [{ name: "test", key, permissions: [{ permission: "ADMIN" }] }];
  const features = [{ name: "checkout", project: "default", environments }];
  const server = await startServer("--state", fileOf({ projects, features, apiKeys }));
  try {
    await ui.page.close();
    await ui.open("checkout", server);
    const { page } = ui;
    await page.setViewportSize({ width: 390, height: 844 });
    await ui.expectSummary("As it is stored");
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(9000);
    await ui.write([{ op: "replace", path: "/v11/payload/value", value: "y" }]);
    await ui.expectSummary("would change");
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(4000);
    await ui.press("Show 11 variants that stay");
    await ui.press("Hide 11 variants that stay");
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    expect(await top("#preview")).toBeLessThan(await top("#plan"));
    await ui.expectAccessible();

    await page.getByRole("switch", { name: "checkout in production" }).click();
    await ui.expectSummary("checkout would go off in production.");
    await ui.press("Switch off");
    await ui.expectNotices(/^Switched off: checkout in production/);
    await ui.press("Switch off everywhere");
    await ui.expectSummary("checkout would go off in dev, test, qa, load, staging.");
    await ui.press("Switch off");
    await ui.expectNotices(/^Switched off: checkout in dev/);
    await expect.poll(() => changes().first().innerText()).toContain("switched off");
    // The patch that was being written is still there.
    expect(await ui.patchText()).toMatchObject([{ path: "/v11/payload/value" }]);
  } finally {
    await server.kill();
  }
});
