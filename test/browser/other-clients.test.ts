/** What other clients write while a flag is open: no form of the page takes it back without a word. */
import { expect, it } from "vitest";
import { patient, usePage } from "./page.ts";

const ui = usePage("writes");

const parameters = { rollout: "100", stickiness: "default", groupId: "checkout" };
const country = { contextName: "country", operator: "IN", values: ["DE"] };
const plan = { contextName: "plan", operator: "IN", values: ["pro"] };
const gradual = { name: "flexibleRollout", parameters, constraints: [country] };
const listed = { name: "userWithId", parameters: { userIds: "ann" } };

const production = () => ui.region("production");
const users = () => production().getByLabel(/^Users in production/);

/** Opens the flag, whose strategy in production is this one, and the strategy's form. */
async function openStrategy(strategy: object): Promise<void> {
  await ui.patchElsewhere("production", [{ op: "replace", path: "/strategies", value: { one: strategy } }]);
  await ui.openFlag();
  await production()
    .getByLabel(/^Edit the strategy/)
    .click();
}

const writeElsewhere = (path: string, value: unknown) =>
  ui.patchElsewhere("production", [{ op: "add", path: `/strategies/one${path}`, value }]);

const constraintsStored = async () => (await ui.stored("production")).strategies.one?.constraints;
const usersStored = async () => (await ui.stored("production")).strategies.one?.parameters;

const expectRefusal = () =>
  ui.expectConfirmation(
    /Nothing was written: checkout was changed meanwhile, by test, (?:\d+ seconds ago|just now)\. Check the new preview\./,
  );

async function typeCountries(): Promise<void> {
  const values = production().getByLabel(/^Values/);
  await values.fill("AT");
  await values.blur();
}

it("refuses constraints that were made from an older list, shows what they would remove, and keeps them", async () => {
  await openStrategy(gradual);
  await writeElsewhere("/constraints/-", plan);
  await typeCountries();
  await ui.press("Use these constraints");
  await ui.expectText("production", /plan is pro\s+removed/);

  await ui.confirm("Apply in production");

  await expectRefusal();
  expect(await constraintsStored()).toEqual([country, plan]);
  await ui.expectText("production", /and country is AT.*and country is DE\s+removed.*plan is pro\s+removed/s);
  await ui.expectAccessible();
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  expect(await constraintsStored()).toEqual([{ ...country, values: ["AT"] }]);
});

it("refuses a list of users that was made from an older one, and shows both", async () => {
  await openStrategy(listed);
  await writeElsewhere("/parameters/userIds", "ann,colleague");
  await users().fill("ann,me");
  await users().press("Enter");

  await ui.confirm("Apply in production");

  await expectRefusal();
  expect(await usersStored()).toEqual({ userIds: "ann,colleague" });
  await ui.expectText("production", /The users ann, me get it was ann, colleague/);
});

it("refuses constraints that were typed before the page read the flag again", async () => {
  await openStrategy(gradual);
  await typeCountries();
  await writeElsewhere("/constraints/-", plan);
  await ui.toggle("production").click();
  await ui.confirm("Cancel");
  await ui.expectText("production", /plan is pro/);
  await ui.press("Use these constraints");

  await ui.confirm("Apply in production");

  await expectRefusal();
  expect(await constraintsStored()).toEqual([country, plan]);
});

it("refuses what is typed into a field while the page reads the flag again", async () => {
  await openStrategy(listed);
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  await ui.page.route(/checkout\?by=name$/, async (route) => {
    await isHeld;
    await route.continue();
  });
  await ui.set("Percent of blue in staging", "20");
  await users().fill("ann,me");
  await writeElsewhere("/parameters/userIds", "ann,colleague");
  release();
  await ui.expectText("production", /The users ann, colleague get it/);
  await users().press("Enter");

  await ui.confirm("Apply in production");

  await expectRefusal();
  expect(await usersStored()).toEqual({ userIds: "ann,colleague" });
});

it("refuses a draft of which one part was made from an older read than the other", async () => {
  await openStrategy(gradual);
  await typeCountries();
  await writeElsewhere("/constraints/-", plan);
  await ui.toggle("production").click();
  await ui.confirm("Cancel");
  await ui.expectText("production", /plan is pro/);
  await ui.set("Percent of blue in production", "20");
  await ui.press("Use these constraints");

  await ui.confirm("Apply in production");

  await expectRefusal();
  expect(await constraintsStored()).toEqual([country, plan]);
});

it("proposes by a link what was made from the older list, which its reader sees as outdated", async () => {
  await openStrategy(gradual);
  await writeElsewhere("/constraints/-", plan);
  await typeCountries();
  await ui.press("Use these constraints");
  await ui.expectText("production", /plan is pro\s+removed/);
  await ui.page.getByText("As JSON").click();
  await ui.page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await ui.press("Copy a link to this proposal");
  const link = await ui.page.getByLabel("To copy").inputValue();

  await ui.follow(new URL(link).hash.slice(1));
  await ui.enter("burgee-key-of-the-patch-page");

  await ui.expectConfirmation(/checkout has changed since this was proposed\./);
});

it("promotes what is stored by then, and refuses to where the target was changed after that", async () => {
  const zed = { weight: 100, weightType: "fix", stickiness: "default" };
  await ui.openFlag();
  await ui.press("Promote");
  await ui.patchElsewhere("development", [{ op: "add", path: "/variants/zed", value: zed }]);

  await ui.press("Preview");

  await ui.expectConfirmation(/In production:/);
  await ui.expectText("production", /zed\s+new/);
  await ui.patchElsewhere("production", [{ op: "add", path: "/variants/late", value: zed }]);
  await ui.confirm("Apply in production");
  await expectRefusal();
  await ui.expectText("production", /late\s+removed/);
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  expect((await ui.stored("production")).variants).toEqual((await ui.stored("development")).variants);
});

it("promotes nothing that it cannot read, and says why", async () => {
  await ui.openFlag();
  await ui.press("Promote");
  await ui.page.route(/checkout\?by=name$/, (route) => route.abort());

  await ui.press("Preview");

  await ui.page
    .getByRole("group", { name: "Promote" })
    .getByText(/No response from/)
    .waitFor();
  expect(await ui.confirmation().count()).toBe(0);
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.press("Preview");
  await ui.expectConfirmation(/In production:/);
});

it("needs no further reading between one's own changes", async () => {
  await openStrategy(listed);
  const isRead = ui.page.waitForRequest(/checkout\?by=name$/);
  await ui.page.route(/checkout\?by=name$/, (route) => setTimeout(() => void route.continue(), 3000));
  await users().fill("ann,me");
  await users().press("Enter");
  await isRead;
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  await users().fill("ann,me,you");
  await users().press("Enter");
  await ui.confirm("Apply in production");

  await expect.poll(usersStored, patient).toEqual({ userIds: "ann,me,you" });
  await ui.page.unrouteAll({ behavior: "ignoreErrors" });
});
