/** A flag, opened from the board: each thing is changed where it stands, shown before it is written, and taken back. */
import { describe, expect, it } from "vitest";
import { developmentKey, key, patient, resetServer, usePage } from "./page.ts";

const ui = usePage("writes");

describe("variants", () => {
  it("are added with the share that the form says, renamed, and removed, on their rows", async () => {
    await ui.openFlag();
    const production = ui.region("production");
    await production.getByRole("button", { name: "Add a variant" }).click();
    await production.getByLabel("Name", { exact: true }).fill("green");
    await production.getByLabel(/^Percent, or empty/).fill("10");
    await ui.page.keyboard.press("Enter");
    await ui.expectConfirmation(/In production:\s+add green at 10 %, put blue at 45 % and red at 45 %\./);
    expect(ui.writes()).toEqual([]);
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied in production\./);
    expect((await ui.stored("production")).variants).toMatchObject({
      blue: { weight: 450 },
      green: { weight: 100, weightType: "fix" },
    });

    await production.getByLabel("More of blue in production").click();
    await ui.set("Name of blue", "azure");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);
    await production.getByLabel("More of red in production").click();
    await production.getByRole("button", { name: "Remove red" }).click();
    await ui.expectText("production", /red\s+removed/);
    await ui.confirm("Apply in production");
    await expect
      .poll(async () => Object.keys((await ui.stored("production")).variants), patient)
      .toEqual(["azure", "green"]);
  });

  it("leave the focus on the button of their form when it is closed or used", async () => {
    await ui.openFlag();
    const nameOfFocused = () => ui.page.evaluate("document.activeElement.innerText");
    const add = ui.region("production").getByRole("button", { name: "Add a variant" });
    await add.press("Enter");
    await ui.page.keyboard.press("Escape");
    expect(await nameOfFocused()).toBe("Add a variant");
    await ui.page.keyboard.press("Enter");
    await ui.page.keyboard.type("violet");
    await ui.page.keyboard.press("Enter");
    await ui.expectConfirmation(/add violet/);
    expect(await nameOfFocused()).toBe("Add a variant");
  });

  it("leave the focus on the flag when their draft is discarded, and its result closed", async () => {
    await ui.openFlag();
    const idOfFocused = () => ui.page.evaluate("document.activeElement.id");
    await ui.set("Percent of blue in production", "20");
    await ui.press("Discard");
    expect(await idOfFocused()).toBe("feature");

    await ui.set("Percent of blue in production", "20");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);
    await ui.press("Close");
    expect(await idOfFocused()).toBe("feature");

    await ui.toggle("production").click();
    await ui.press("Cancel");
    expect(await ui.page.evaluate("document.activeElement.ariaLabel")).toBe("checkout in production");
  });

  it("may be named like a member of a variant", async () => {
    await ui.openFlag();
    await ui.writePatch([{ op: "add", path: "/variants/weight", value: { weight: 100, weightType: "fix" } }]);
    await ui.expectConfirmation(/add weight at 10 %, put blue at \d+ %/);
    expect(await ui.confirmation().innerText()).not.toContain("NaN");
  });

  it("take a share in percent, and say what becomes of the others", async () => {
    await ui.openFlag();
    await ui.set("Percent of blue in production", "12,5");
    await ui.expectText("production", /blue was 50 %.*red was 50 %/s);
    const rest = ui.page.getByRole("textbox", { name: "Percent of red in production" });
    await expect.poll(() => rest.inputValue(), patient).toBe("87.5 %");
    expect(await rest.isDisabled()).toBe(true);
    await ui.page.getByText("As JSON").click();
    expect(await ui.patchText()).toEqual([
      { op: "replace", path: "/variants/blue/weightType", value: "fix" },
      { op: "replace", path: "/variants/blue/weight", value: 125 },
    ]);
    await ui.set("Percent of blue in production", "20");
    expect(await ui.patchText()).toHaveLength(2);
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);
    expect((await ui.stored("production")).variants).toMatchObject({
      blue: { weight: 200 },
      red: { weight: 800 },
    });
    expect((await ui.stored("staging")).variants.blue?.weight).toBe(334);
  });

  it("show the shares that users get of weights that a state file stored, before and after a draft", async () => {
    const projects = [{ id: "default", environments: ["production"] }];
    const variants = Object.entries({ blue: 8, red: 7 }).map(([name, weight]) => ({ name, weight }));
    const features = [{ name: "checkout", project: "default", environments: { production: { variants } } }];
    await resetServer(ui.server, { projects, features });
    await ui.openFlag();
    const shares = () =>
      Promise.all(
        ["blue", "red"].map((name) => ui.page.getByLabel(`Percent of ${name} in production`).inputValue()),
      );
    await expect.poll(shares, patient).toEqual(["53.3 %", "46.7 %"]);

    await ui.page.route(/dryRun/, () => {});
    await ui.set("Percent of blue in production", "20");
    await ui.expectText("production", /blue was 53\.3 %/);
    expect((await shares())[0]).toBe("20 %");
    await ui.page.unrouteAll({ behavior: "ignoreErrors" });
    await ui.press("Discard");

    await ui.patchElsewhere("production", [
      { op: "replace", path: "/variants/blue/stickiness", value: "userId" },
    ]);
    await ui.page.reload();
    await ui.enter(key);
    await expect.poll(shares, patient).toEqual(["50 %", "50 %"]);
    await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(shares, patient).toEqual(["53.3 %", "46.7 %"]);
    await ui.expectText("production", /blue was 50 %.*red was 50 %/s);
  });

  it("keep the line breaks of a payload, which a field of one line cannot have", async () => {
    const payload = { type: "csv", value: "a,b\n1,2" };
    await ui.patchElsewhere("production", [{ op: "add", path: "/variants/blue/payload", value: payload }]);
    await ui.openFlag();
    const production = ui.region("production");
    await production.getByLabel("More of blue in production").click();
    const field = production.getByLabel("Payload of blue", { exact: true });
    expect(await field.inputValue()).toBe("a,b\\u000a1,2");

    expect(await field.isEditable()).toBe(false);
    await ui.expectText("production", /It has a line break or a hidden character: change it as JSON\./);
    await ui.expectAccessible();
  });

  it("get a payload of the type that was chosen before its value was typed", async () => {
    await ui.openFlag();
    const production = ui.region("production");
    await production.getByLabel("More of blue in production").click();
    const type = production.getByLabel("Type of the payload of blue");
    await type.selectOption("json");
    await production.getByLabel("Payload of blue", { exact: true }).fill("{}");
    await ui.page.keyboard.press("Enter");
    expect(await type.inputValue()).toBe("json");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    expect((await ui.stored("production")).variants.blue?.payload).toEqual({ type: "json", value: "{}" });
  });

  it("of one environment are patched with a key for that one alone", async () => {
    await ui.openFlag("checkout", developmentKey);
    await ui.set("Percent of blue in staging", "20");
    await ui.expectConfirmation(/This key lacks UPDATE_FEATURE_ENVIRONMENT_VARIANTS in staging\./);
    expect(await ui.page.getByRole("button", { name: "Apply in staging" }).isEnabled()).toBe(false);
    await ui.press("Discard");
    await ui.set("Percent of blue in development", "20");
    await ui.confirm("Apply in development");
    await ui.expectConfirmation(/Applied in development/);
  });
});

describe("who gets it", () => {
  it("is limited by a percentage, by a constraint, and given variants of its own, each taken back", async () => {
    await ui.openFlag();
    const production = ui.region("production");
    await ui.expectText("production", /Off: no user gets it\. When on: Everyone gets the flag\./);
    await production.getByRole("button", { name: "Limit who gets the flag" }).click();
    const rollout = production.getByRole("textbox", { name: /^Rollout in production/ });
    await rollout.fill("25");
    await rollout.press("Enter");
    await ui.expectConfirmation(/In production:\s+add a strategy\./);
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    await production.getByLabel(/^Edit the strategy/).click();
    await ui.press("Add a constraint");
    await production.getByLabel("Context field").fill("country");
    await production.getByLabel("Values, one on each line").fill("DE\nAT");
    await ui.press("Use these constraints");
    await ui.expectText("production", /and country is DE or AT/);
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    await rollout.fill("30");
    await rollout.press("Enter");
    await ui.confirm("Apply in production");
    await expect
      .poll(async () => Object.values((await ui.stored("production")).strategies), patient)
      .toMatchObject([
        {
          parameters: { rollout: "30" },
          constraints: [{ contextName: "country", operator: "IN", values: ["DE", "AT"] }],
        },
      ]);
    await expect
      .poll(async () => (await ui.changes())[0], patient)
      .toMatch(/^test set the rollout from 25 % to 30 % in production/);
    await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).first().click();
    await ui.confirm("Undo the change");
    await expect.poll(() => rollout.inputValue(), patient).toBe("25 %");

    await production.getByRole("button", { name: "Add a variant" }).first().click();
    await production.getByLabel("Name", { exact: true }).fill("purple");
    await ui.page.keyboard.press("Enter");
    await ui.confirm("Apply in production");
    await ui.expectText("production", /Users do not get the variants below: every strategy has its own\./);
    await expect
      .poll(async () => Object.values((await ui.stored("production")).strategies)[0], patient)
      .toMatchObject({ variants: { purple: { weight: 1000 } } });
    expect(ui.complaints).toEqual([]);
  });
});

describe("values of a constraint", () => {
  const valuesIn = () => ui.region("production").getByLabel("Values, one on each line");
  const constraintsStored = async () => (await ui.stored("production")).strategies.some?.constraints;

  async function openConstraint(constraint: object): Promise<void> {
    const parameters = { rollout: "100", stickiness: "default", groupId: "checkout" };
    const strategies = { some: { name: "flexibleRollout", parameters, constraints: [constraint] } };
    await ui.patchElsewhere("production", [{ op: "replace", path: "/strategies", value: strategies }]);
    await ui.openFlag();
    await ui
      .region("production")
      .getByLabel(/^Edit the strategy/)
      .click();
  }

  it("keep their commas and blanks where another one is added", async () => {
    const company = { contextName: "company", operator: "IN", values: ["Acme, Inc.", " B "] };
    await openConstraint(company);
    expect(await valuesIn().inputValue()).toBe("Acme, Inc.\n B ");
    await valuesIn().press("Control+End");
    await ui.page.keyboard.type("\n\n C");
    await ui.press("Use these constraints");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    expect(await constraintsStored()).toEqual([{ ...company, values: ["Acme, Inc.", " B ", "C"] }]);
  });

  it("keep the blanks with which editing began, although the flag was read again since", async () => {
    const company = { contextName: "company", operator: "IN", values: [" B "] };
    await openConstraint(company);
    await valuesIn().press("Control+End");
    await ui.page.keyboard.type("\nC");
    await ui.patchElsewhere("production", [
      { op: "replace", path: "/strategies/some/constraints/0/values", value: ["D"] },
    ]);
    await ui.toggle("production").click();
    await ui.confirm("Cancel");
    await ui.expectText("production", /company is D/);

    await ui.press("Use these constraints");

    await ui.page.getByText("As JSON").click();
    expect(await ui.patchText()).toMatchObject([{ value: [{ ...company, values: [" B ", "C"] }] }]);
  });

  it("that have a line break are not changed by the form", async () => {
    const text = { contextName: "text", operator: "STR_CONTAINS", values: ["a\nb", "c"] };
    await openConstraint(text);
    expect(await valuesIn().isEditable()).toBe(false);
    await ui.expectText("production", /A value has a line break: change it as JSON\./);
    await ui.region("production").getByLabel("not").check();
    await ui.press("Use these constraints");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    expect(await constraintsStored()).toEqual([{ ...text, inverted: true }]);
  });

  it("are one for operators that compare with one", async () => {
    await openConstraint({ contextName: "age", operator: "NUM_GT", value: "17" });
    const value = ui.region("production").getByLabel("Value", { exact: true });
    await value.fill("20");
    await ui.press("Use these constraints");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);

    expect(await constraintsStored()).toEqual([{ contextName: "age", operator: "NUM_GT", value: "20" }]);
  });
});

describe("switches", () => {
  it("that are off are followed by what they would switch on", async () => {
    const parameters = { rollout: "50", stickiness: "userId", groupId: "checkout" };
    const strategies = { some: { name: "flexibleRollout", parameters } };
    await ui.patchElsewhere("production", [{ op: "replace", path: "/strategies", value: strategies }]);
    await ui.openFlag();
    await ui.expectText("production", /Off: no user gets it\. When on:.*of users get it, by userId/s);
    await ui.toggle("production").click();
    await ui.confirm("Switch on");
    await expect.poll(() => ui.region("production").innerText(), patient).not.toMatch(/no user gets it/);
    await ui.toggle("staging").click();
    await ui.confirm("Switch on");
    await ui.expectText("staging", /^staging\s+Everyone gets the flag\./);
  });

  it("go off everywhere and come back, with the draft that they interrupt", async () => {
    await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: true }]);
    await ui.openFlag();
    await ui.set("Percent of blue in staging", "20");
    await ui.expectConfirmation(/In staging:/);
    await ui.press("Switch off everywhere");
    await ui.expectConfirmation(/checkout goes off in production\./);
    await ui.confirm("Switch off");
    await ui.expectConfirmation(/In staging:/);
    expect((await ui.stored("production")).enabled).toBe(false);
    await expect
      .poll(async () => (await ui.changes())[0], patient)
      .toMatch(/^test switched production off.*100 % of users lost the flag/s);
    await ui.confirm("Apply in staging");
    await ui.expectConfirmation(/Applied in staging/);
  });
});

it("shows what a switch would do where the window is enlarged four times", async () => {
  await ui.page.setViewportSize({ width: 320, height: 256 });
  await ui.openFlag();
  await ui.toggle("production").click();
  await ui.expectConfirmation(/50 % get blue/);
  const headline = ui.confirmation().getByText("checkout goes on in production.");

  await headline.evaluate((element) => element.scrollIntoView());

  expect((await headline.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await ui.confirm("Switch on");
  await ui.expectConfirmation(/checkout is on in production\./);
});

it("is promoted without a reason from an environment whose name is too long for one", async () => {
  const long = "long-".repeat(40);
  const projects = [{ id: "default", environments: [long, "production"] }];
  const environments = { [long]: { enabled: true }, production: {} };
  const features = [{ name: "checkout", project: "default", environments }];
  await resetServer(ui.server, { projects, features });
  await ui.openFlag();
  await ui.press("Promote");
  const form = ui.page.getByRole("group", { name: "Promote" });
  await form.getByLabel("Switch").check();
  await form.getByRole("button", { name: "Preview" }).click();
  await ui.confirm("Apply in production");

  await ui.expectConfirmation(/Applied in production/);
});

it("is promoted from one environment to another, in the parts that are chosen", async () => {
  await ui.openFlag();
  await ui.press("Promote");
  const form = ui.page.getByRole("group", { name: "Promote" });
  await form.getByLabel("From").selectOption("staging");
  await form.getByRole("button", { name: "Preview" }).click();
  await ui.expectConfirmation(/In production:\s+add green at 33\.3 %/);
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  await expect.poll(async () => (await ui.changes())[0], patient).toContain("promoted from staging");
  expect((await ui.stored("production")).variants).toEqual((await ui.stored("staging")).variants);
});

describe("a promotion", () => {
  const form = () => ui.page.getByRole("group", { name: "Promote" });
  const preview = () => form().getByRole("button", { name: "Preview" });

  /** Holds the reads of the flag until the returned function is called, which returns after one is read. */
  async function holdReads(): Promise<() => Promise<void>> {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await ui.page.route(/checkout\?by=name$/, async (route) => {
      await isReleased;
      await route.continue();
    });
    return async () => {
      const isRead = ui.page.waitForResponse(/checkout\?by=name$/);
      release();
      await (await isRead).finished();
      await ui.page.unrouteAll({ behavior: "wait" });
    };
  }

  it.each(["Cancel", "Escape"])("drafts nothing after %s, although it was reading", async (way) => {
    await ui.openFlag();
    await ui.press("Promote");
    const release = await holdReads();
    await preview().click();
    if (way === "Escape") await form().getByLabel("From").press("Escape");
    else await ui.press("Cancel");

    await release();

    await ui.page.waitForTimeout(200);
    expect(await ui.confirmation().count()).toBe(0);
  });

  it("is drafted once by a double click", async () => {
    await ui.openFlag();
    await ui.press("Promote");
    const release = await holdReads();
    await preview().dblclick();
    await release();
    await ui.expectConfirmation(/In production:/);

    await ui.press("Discard");

    expect(await ui.confirmation().count()).toBe(0);
  });
});

describe("the guard of the last change", () => {
  const guard = () => ui.page.getByLabel("Name of the guard");

  async function guardOnce(): Promise<void> {
    await ui.openFlag();
    await ui.set("Percent of blue in staging", "20");
    await ui.set("Name of the guard", "checkout-errors");
    await ui.press("Discard");
  }

  /** Drafts a promotion that switches production off. */
  async function promoteOff(unticked: readonly string[]): Promise<void> {
    await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: true }]);
    await guardOnce();
    await ui.press("Promote");
    const form = ui.page.getByRole("group", { name: "Promote" });
    for (const part of unticked) await form.getByLabel(part).uncheck();
    await form.getByLabel("Switch").check();
    await form.getByRole("button", { name: "Preview" }).click();
  }

  it.each([
    ["alone", ["Variants", "Who gets it"], /checkout goes off in production\./, "Switch off"],
    ["with variants", ["Who gets it"], /In production:\s+switch it off, add green/, "Apply in production"],
  ] as const)("is not that of a promotion that switches off %s", async (_, unticked, text, button) => {
    await promoteOff(unticked);

    await ui.expectConfirmation(text);

    expect(await guard().inputValue()).toBe("");
    await ui.confirm(button);
    await expect.poll(async () => (await ui.stored("production")).enabled, patient).toBe(false);
    expect(ui.writes().at(-1)?.headers()["burgee-guard"]).toBeUndefined();
  });

  it("is remembered where only the limit of moves is edited", async () => {
    await promoteOff([]);
    await ui.set("Percent of users that may get something else", "50");
    await ui.press("Discard");

    await ui.toggle("staging").click();

    await ui.expectConfirmation(/checkout goes on in staging\./);
    expect(await guard().inputValue()).toBe("checkout-errors");
  });

  it("is not that of switching off again, but that of other changes", async () => {
    await ui.patchElsewhere("production", [{ op: "replace", path: "/enabled", value: true }]);
    await guardOnce();
    await ui.toggle("production").click();
    await ui.confirm("Switch off");
    await ui.press("Undo in production");
    await ui.confirm("Undo the change");
    await ui.expectConfirmation(/Undone in production/);
    await expect
      .poll(async () => (await ui.changes())[1], patient)
      .toMatch(/^test switched production off.*undone/s);
    await ui.region("Last changes").locator("summary").nth(1).click();
    await ui
      .region("Last changes")
      .getByRole("button", { name: /^Make again/ })
      .click();

    await ui.expectConfirmation(/checkout goes off in production\./);

    expect(await guard().inputValue()).toBe("");
    await ui.press("Cancel");
    await ui.toggle("staging").click();
    await ui.expectConfirmation(/checkout goes on in staging\./);
    expect(await guard().inputValue()).toBe("checkout-errors");
  });
});

it("draws a rollout as SDKs evaluate it: without its fraction", async () => {
  const parameters = { rollout: "12.5", stickiness: "userId", groupId: "checkout" };
  await ui.patchElsewhere("production", [
    { op: "replace", path: "/enabled", value: true },
    { op: "replace", path: "/strategies", value: { some: { name: "flexibleRollout", parameters } } },
  ]);
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/of users in production whom the strategy some can match get something else/);
  const titles = await ui.page
    .locator(".moves i")
    .evaluateAll((all) => all.map((each) => Object(each).title));
  expect(titles.at(-1)).toBe("88 % do not get it");
});

it("says who moves before it is applied, with one bar from before to after, for a switch too", async () => {
  const sharing = { weight: 0, weightType: "variable", stickiness: "default" };
  await ui.patchElsewhere("production", [
    { op: "replace", path: "/enabled", value: true },
    { op: "replace", path: "/variants", value: { blue: sharing, green: sharing } },
  ]);
  await ui.openFlag();
  const production = ui.region("production");
  await production.getByRole("button", { name: "Add a variant" }).click();
  await production.getByLabel("Name", { exact: true }).fill("red");
  await production.getByLabel(/^Percent, or empty/).fill("10");
  await ui.page.keyboard.press("Enter");
  await ui.expectConfirmation(
    /15 % of users in production get something else: 10 % from green to red, 5 % from blue to green\./,
  );
  const parts = ui.page.locator(".moves i");
  expect(await parts.evaluateAll((all) => all.map((each) => Object(each).title))).toEqual([
    "45 % stay blue",
    "5 % to green",
    "40 % stay green",
    "10 % to red",
  ]);
  expect(await ui.page.locator(".moves .moved").count()).toBe(2);
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied/);
  await expect
    .poll(async () => (await ui.changes())[0], patient)
    .toContain("15 % of users got something else");
  await ui.toggle("production").click();
  await ui.expectConfirmation(/100 % of users in production lose the flag\./);
});

describe("last changes", () => {
  it("are sentences, with details in a fold, and a change that is taken back is made again", async () => {
    await ui.openFlag();
    await ui.set("Percent of blue in production", "20");
    await ui.page.getByLabel("Why").fill("incident 7");
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied in production\.\s+Undo in production/);
    await ui.press("Undo in production");
    await ui.confirm("Undo the change");
    await ui.expectConfirmation(/Undone in production/);
    await expect.poll(async () => (await ui.changes()).length, patient).toBe(2);
    const [undo, change] = await ui.changes();
    expect(undo).toMatch(/^test put blue at 50 % and red at 50 % in production, by undo/);
    expect(change).toMatch(/^test put blue at 20 % and red at 80 % in production\s*incident 7\s*undone/);
    expect(await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).count()).toBe(0);

    await ui.region("Last changes").locator("summary").nth(1).click();
    await ui
      .region("Last changes")
      .getByRole("button", { name: /^Make again/ })
      .click();
    await ui.expectConfirmation(/In production:\s+put blue at 20 % and red at 80 %\./);
    await ui.confirm("Apply in production");
    await ui.expectConfirmation(/Applied/);
    expect((await ui.stored("production")).variants).toMatchObject({ blue: { weight: 200 } });
  });

  it("offer the undo that the server would do, after concurrent changes too", async () => {
    const weight = (value: number) => [
      { op: "replace", path: "/variants/blue/weightType", value: "fix" },
      { op: "replace", path: "/variants/blue/weight", value },
    ];
    await ui.patchElsewhere("production", weight(100));
    await ui.patchElsewhere("staging", weight(200));
    await ui.patchElsewhere("production", weight(300));
    await ui.openFlag();
    await expect.poll(async () => (await ui.changes()).length, patient).toBe(3);
    const buttons = ui.region("Last changes").getByRole("button", { name: /^Undo/ });
    expect(await buttons.count()).toBe(2);
    await buttons.first().click();
    await ui.confirm("Undo the change");
    await expect.poll(async () => (await ui.stored("production")).variants.blue?.weight, patient).toBe(100);
  });

  it("are one screen, even if there are twenty", async () => {
    for (let count = 1; count <= 20; count += 1) {
      await ui.patchElsewhere("production", [
        { op: "replace", path: "/variants/blue/stickiness", value: `field${count}` },
      ]);
    }
    await ui.openFlag();
    await expect.poll(async () => (await ui.changes()).length, patient).toBe(20);
    expect((await ui.region("Last changes").boundingBox())?.height).toBeLessThan(1000);
  });
});

it("is put under a guard, whose name is remembered, and says how long that lasts", async () => {
  const { page } = ui;
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.set("Name of the guard", "checkout-errors");
  await page.getByLabel("For how long").selectOption("60");
  await ui.confirm("Apply in production");
  await ui.expectConfirmation(/Applied in production/);
  expect(ui.writes().at(-1)?.headers()["burgee-guard"]).toBe("checkout-errors; for=60m");

  await page.route(/variants\/changes$/, async (route) => {
    const response = await route.fetch();
    const { changes } = await response.json();
    const [first] = changes;
    first.guard = "checkout-errors";
    first.environments[0].guardedUntil = new Date(Date.now() + 16 * 60_000 - 5000).toISOString();
    await route.fulfill({ response, json: { version: 1, changes } });
  });
  await ui.set("Percent of blue in production", "30");
  await ui.expectConfirmation(/In production/);
  expect(await page.getByLabel("Name of the guard").inputValue()).toBe("checkout-errors");
  await ui.expectText("Last changes", /guarded by checkout-errors, 16 min left/);
  await ui.expectAccessible();
  await ui.press("Discard");
  await page.getByRole("link", { name: "All flags" }).click();
  await page.getByLabel("State", { exact: true }).selectOption("guarded");
  await expect.poll(() => page.locator(".count").innerText(), patient).toMatch(/^1 of/);
  await page.getByLabel("State", { exact: true }).selectOption("");
  const mark = page.getByTitle("guarded by checkout-errors");
  expect(await mark.count()).toBe(1);

  await page.evaluate("{ const { now } = Date; Date.now = () => now() + 61 * 60_000; }");
  await page.evaluate("dispatchEvent(new Event('scroll'))");

  await expect.poll(() => mark.count(), patient).toBe(0);
});

it("is stopped where more users would move than the limit that is remembered, but a switch is not", async () => {
  const { page } = ui;
  const limit = page.getByLabel("Percent of users that may get something else");
  await ui.patchElsewhere("development", [{ op: "replace", path: "/enabled", value: true }]);
  await ui.openFlag();
  await ui.set("Percent of blue in development", "20");
  await ui.set("Percent of users that may get something else", "12,5");
  await ui.expectConfirmation(
    /This would fail in development; nothing would be written.*more than the 12\.5 % that/s,
  );
  expect(await ui.confirmation().getByRole("button", { name: "Apply in development" }).isEnabled()).toBe(
    false,
  );
  await ui.set("Percent of users that may get something else", "");
  await ui.expectConfirmation(/In development/);
  await ui.set("Percent of users that may get something else", "95");
  await ui.confirm("Apply in development");
  await ui.expectConfirmation(/Applied in development/);
  expect(ui.writes().at(-1)?.headers()["burgee-most-moves"]).toBe("0.95");

  await ui.set("Percent of blue in development", "30");
  expect(await limit.inputValue()).toBe("95 %");
  await ui.press("Discard");
  await ui.toggle("development").click();
  await ui.expectConfirmation(/checkout goes/);
  expect(await limit.count()).toBe(0);
});

describe("the patch as JSON", () => {
  it.each([
    ["leaves out what has a default", { weight: 100, weightType: "fix" }, /add violet at 10 %/],
    ["has a payload that is a text", { weight: 1, payload: "{}" }, /This would fail in development; nothing/],
    [
      "has overrides that are a text",
      { weight: 1, overrides: "ann" },
      /This would fail in development; nothing/,
    ],
    [
      "has a number as its stickiness",
      { weight: 1, stickiness: 5 },
      /This would fail in development; nothing/,
    ],
  ])("is previewed where a variant of it %s", async (_, value, said) => {
    await ui.openFlag();
    await ui.writePatch([{ op: "add", path: "/variants/violet", value }]);
    await ui.expectConfirmation(said);
    expect(ui.complaints).toEqual([]);
  });

  it.each([
    ["a title that is a number", { title: 5 }],
    [
      "constraints whose values are a text",
      { constraints: [{ contextName: "a", operator: "IN", values: "b" }] },
    ],
  ])("is previewed where a strategy of it has %s", async (_, invalid) => {
    const strategy = { name: "default", parameters: {}, constraints: [], variants: {}, ...invalid };
    await ui.openFlag();
    await ui.writePatch([{ op: "add", path: "/strategies/some", value: strategy }]);
    await ui.expectConfirmation(/This would fail in development; nothing/);
    expect(ui.complaints).toEqual([]);
  });

  it("keeps what was typed where a form adds to it", async () => {
    await ui.openFlag();
    await ui.set("Percent of blue in production", "20");
    const typed = { op: "copy", from: "", path: "/variants/violet", note: "mine" };
    await ui.page.getByText("As JSON").click();
    await ui.writePatch([typed, 7]);
    await ui.set("Percent of blue in production", "30");
    expect(await ui.patchText()).toEqual([
      typed,
      7,
      { op: "replace", path: "/variants/blue/weightType", value: "fix" },
      { op: "replace", path: "/variants/blue/weight", value: 300 },
    ]);
  });

  it("is written by hand for every environment, refused at its operation, and copied as a curl command", async () => {
    await ui.openFlag();
    await ui.writePatch('[{"op":"replace","path":"/variants/blue/color","value":1}]');
    await ui.expectConfirmation(/This would fail in development; nothing would be written\./);
    await ui.writePatch("[{");
    await ui.expectConfirmation(/This draft cannot be previewed\..*JSON/s);
    await ui.writePatch('[{"op":"replace","path":"/variants/blue/stickiness","value":"userId"}]');
    await ui.expectConfirmation(/In all 3 environments:\s+change the stickiness of blue\./);
    await ui.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await ui.press("Copy as curl");
    await ui.page.getByText("Copied.").waitFor();
    const command = await ui.page.evaluate<string>("navigator.clipboard.readText()");
    expect(command).toMatch(
      /^curl -X PATCH 'http\S+\/features\/checkout' \\\n {2}-H "Authorization: \$BURGEE_KEY"/,
    );
    // As over HTTP from another machine.
    await ui.page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await ui.press("Copy a link to this proposal");
    const field = ui.page.getByLabel("To copy");
    await field.waitFor();
    expect(await field.inputValue()).toContain("/patch#project=default&feature=checkout");
    await ui.confirm("Apply in every environment");
    await ui.expectConfirmation(/Applied in all 3 environments/);
  });
});

it("keeps what is being written in the tab, without the API key, and beside another flag", async () => {
  await ui.openFlag();
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/In production/);
  const storage = await ui.page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  expect(storage).not.toContain("burgee-key");
  await ui.page.reload();
  await ui.enter("burgee-key-of-the-patch-page");
  await ui.expectConfirmation(/In production:\s+put blue at 20 %/);
  await ui.page.getByRole("link", { name: "All flags" }).click();
  await ui.page.getByRole("link", { name: "search", exact: true }).click();
  await ui.expectText("Notices", /Not applied yet:\s*checkout in production/);
  await ui.page.getByRole("link", { name: "checkout in production" }).click();
  await ui.expectConfirmation(/In production:\s+put blue at 20 %/);
});

it.each([1280, 400])("Promote opens below the title, from its left edge, at %i pixels", async (width) => {
  await ui.request("POST", "/environments/production/on", {});
  await ui.openFlag();
  await ui.page.setViewportSize({ width, height: 800 });
  await ui.page.getByRole("button", { name: "Switch off everywhere" }).waitFor(patient);
  await ui.press("Promote");
  const placeOf = async (role: "heading" | "group" | "button", name: string) => {
    const box = await ui.page.getByRole(role, { name, exact: true }).boundingBox();
    return box ?? { x: -1, y: -1, width: 0, height: 0 };
  };

  const form = await placeOf("group", "Promote");
  const title = await placeOf("heading", "checkout");
  const button = await placeOf("button", "Switch off everywhere");
  const [preview, cancel] = [await placeOf("button", "Preview"), await placeOf("button", "Cancel")];

  expect(form.x).toBeCloseTo(title.x, 0);
  expect(form.y).toBeGreaterThanOrEqual(button.y + button.height);
  expect(cancel.y).toBe(preview.y);
  if (width > 1000) expect(button.x + button.width).toBeGreaterThan(width - 40);
});

it("an undo that is only open is no draft: it is gone after a reload, and on other pages", async () => {
  await ui.patchElsewhere("production", [{ op: "remove", path: "/variants/blue" }]);
  await ui.openFlag();
  await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).first().click(patient);
  await ui.expectConfirmation(/production/);

  await ui.page.getByRole("link", { name: "All flags" }).click();
  await ui.page.getByRole("link", { name: "search", exact: true }).click();
  await ui.page.getByRole("heading", { name: "search", exact: true }).waitFor();
  expect(await ui.region("Notices").innerText()).toBe("");
  await ui.page.goBack();
  await ui.page.goBack();
  await ui.region("Last changes").getByRole("button", { name: /^Undo/ }).first().click(patient);
  await ui.expectConfirmation(/production/);
  await ui.page.reload();
  await ui.enter("burgee-key-of-the-patch-page");
  await ui.page.getByRole("heading", { name: "Last changes" }).waitFor();

  expect(await ui.confirmation().count()).toBe(0);
  await ui.page.getByRole("link", { name: "All flags" }).click();
  await ui.toggle("production").waitFor();
  expect(await ui.region("Notices").innerText()).toBe("");
});

it("says that a server is away, keeps what was read, and goes on", async () => {
  const { page } = ui;
  await ui.openFlag();
  await page.route("**/api/**", (route) => route.abort());
  await ui.set("Percent of blue in production", "20");
  await ui.expectConfirmation(/This draft cannot be previewed\.\s+No response/);
  await expect
    .poll(() => page.locator("#feature > p.failed").innerText(), patient)
    .toMatch(/This shows the flag as read at/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await ui.confirmation().getByRole("button", { name: "Try again" }).click();
  await ui.expectConfirmation(/In production:\s+put blue at 20 %/);
});

it("creates a flag on the board, and opens it; or says why it cannot be created", async () => {
  const { page } = ui;
  await ui.enter("burgee-key-of-the-patch-page");
  await ui.press("New flag");
  await page.getByLabel("Name of the new flag").fill("checkout");
  await ui.press("Create");
  const alert = page.locator(".toolbar [role=alert]");
  await expect.poll(() => alert.innerText(), patient).toMatch(/exists/);
  await page.getByLabel("Name of the new flag").fill("new flag");
  await ui.press("Create");
  await expect
    .poll(() => alert.innerText(), patient)
    .toMatch(/^"new flag" is not a name: it must be URL-friendly: letters, digits and/);
  await page.getByLabel("Name of the new flag").fill("new-flag");
  await ui.press("Create");
  await page.getByRole("heading", { name: "Last changes" }).waitFor();
  await ui.expectText("production", /off\s+Off: no user gets it\. When on: Everyone gets the flag\./);
  await page.goBack();
  await page.getByRole("link", { name: "new-flag", exact: true }).waitFor();
  expect(ui.complaints).toEqual([]);
});

it.each(["light", "dark"] as const)(
  "has no violation that axe-core finds in %s, and fits 390 pixels with its name at the top",
  async (colorScheme) => {
    await ui.page.emulateMedia({ colorScheme });
    await ui.openFlag();
    await ui.set("Percent of blue in production", "20");
    await ui.expectConfirmation(/In production/);
    await ui.page.getByText("As JSON").click();
    await ui.page.getByLabel("More of red in production").click();
    await ui.expectAccessible();
    await ui.expectNarrow();
    await ui.expectAccessible();
    await ui.page.evaluate("scrollTo(0, 0)");
    const name = await ui.page.getByRole("heading", { name: "checkout", exact: true }).boundingBox();
    expect(name?.y).toBeLessThan(200);
    expect(ui.complaints).toEqual([]);
  },
);
