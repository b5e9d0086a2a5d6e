/** The page that previews a patch: its form, on large and small screens, by keyboard, and with hostile names. */
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fileOf } from "../infra/admin/command-line.ts";
import { startServer } from "../support/server.ts";
import { state, stopping, usePage } from "./patch-page.ts";

const ui = usePage("reads");

/** Fills fields of a group, and presses its button. */
async function use(group: string, button: string, values: Record<string, string>): Promise<void> {
  const fields = ui.page.getByRole("group", { name: group });
  await ui.choose(values, fields);
  await fields.getByRole("button", { name: button }).click();
}

async function isEnabled(buttons: Locator): Promise<boolean[]> {
  return Promise.all((await buttons.all()).map((each) => each.isEnabled()));
}

describe("each button writes an operation from the fields of its group", () => {
  const added = { weight: 0, weightType: "variable" };
  it.each([
    {
      form: "index",
      written: [
        { op: "add", path: "/-", value: { name: "amber", ...added } },
        { op: "add", path: "/-", value: { name: "navy/~1", weight: 250, weightType: "fix" } },
        { op: "replace", path: "/4/weightType", value: "fix" },
        { op: "replace", path: "/4/weight", value: 20 },
        { op: "replace", path: "/1/name", value: "teal" },
        { op: "remove", path: "/0" },
        { op: "remove", path: "/0" },
      ],
    },
    {
      form: "name",
      written: [
        { op: "add", path: "/amber", value: added },
        { op: "add", path: "/navy~1~01", value: { weight: 250, weightType: "fix" } },
        { op: "replace", path: "/navy~1~01/weightType", value: "fix" },
        { op: "replace", path: "/navy~1~01/weight", value: 20 },
        { op: "move", from: "/green", path: "/teal" },
        { op: "remove", path: "/blue" },
        { op: "remove", path: "/teal" },
      ],
    },
  ])("by $form, each on what those before it leave", async ({ form, written }) => {
    await ui.expectSummary("As it is stored");
    await ui.choose({ "Variants by": form, Environment: "development" });

    await use("Add a variant", "Add", { Name: "amber" });
    await use("Add a variant", "Add", { Name: "navy/~1", Weight: "250" });
    await use("Change a variant", "Fix the weight", { Variant: "navy/~1", "Fixed weight": "20" });
    await use("Change a variant", "Rename", { Variant: "green", "New name": "teal" });
    await use("Change a variant", "Remove", { Variant: "blue" });
    await use("Change a variant", "Remove", { Variant: "teal" });

    expect(await ui.patchText()).toEqual(written);
  });
});

it.each(["name", "index"])(
  "by %s, neither form takes a name that is taken, and both say where, after the operations before it",
  async (form) => {
    const { page } = ui;
    await ui.expectSummary("As it is stored");
    await ui.choose({ "Variants by": form });
    const change = page.getByRole("group", { name: "Change a variant" });
    const refusal = (label: string) =>
      page.getByLabel(label, { exact: true }).evaluate((input) => Object(input).validationMessage);

    await use("Add a variant", "Add", { Name: "green" });
    expect(await refusal("Name")).toBe("green is in development, staging already.");
    expect(await ui.patchText()).toEqual([]);
    await use("Change a variant", "Rename", { Variant: "blue", "New name": "red" });
    expect(await refusal("New name")).toBe("red is in development, staging, production already.");
    expect(await ui.patchText()).toEqual([]);

    await ui.choose({ Environment: "production" });
    await use("Add a variant", "Add", { Name: "green" });
    const [added] = (await ui.patchText()) as unknown[];
    expect(added).toMatchObject({ op: "add" });
    await expect.poll(() => refusal("Name")).toBe("green is in production already.");
    await ui.choose({ Variant: "green" }, change);
    await change.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => refusal("Name")).toBe("");
  },
);

it("by index, no button writes a patch that is for different variants", async () => {
  const { page } = ui;
  await ui.expectSummary("As it is stored");
  const group = page.getByRole("group", { name: "Change a variant" });
  const expectUsable = async (usable: boolean[]) =>
    expect.poll(() => isEnabled(group.getByRole("button"))).toEqual(usable);

  await ui.choose({ "Variants by": "index" });
  await ui.choose({ Variant: "green" }, group);

  await expectUsable([false, false, false]);
  expect(await group.innerText()).toContain(
    "/1 is green in development, staging, but red in production. Choose an environment, or variants by name.",
  );
  await ui.choose({ Variant: "blue" }, group);
  await expectUsable([true, true, true]);
  await ui.choose({ Environment: "development" });
  await use("Change a variant", "Remove", { Variant: "green" });
  expect(await ui.patchText()).toEqual([{ op: "remove", path: "/1" }]);
});

it("no button replaces a patch that is not finished", async () => {
  const add = ui.page.getByRole("button", { name: "Add", exact: true });
  for (const text of ['[{"op":"remove"', '{"op":"remove","path":"/blue"}']) {
    await ui.write(text);
    expect(await add.isEnabled()).toBe(false);
  }
  for (const text of ["", "[ ]", '[{"op":"remove","path":"/blue"}]']) {
    await ui.write(text);
    expect(await add.isEnabled()).toBe(true);
  }
});

it("long operations are formatted, copied and pasted ones", async () => {
  const { page } = ui;
  await ui.expectSummary("As it is stored");
  const text = page.getByLabel("JSON Patch");
  const lines = async () => (await text.inputValue()).split("\n");

  await use("Copy all variants", "Copy", { "Copy from": "development" });
  expect((await lines()).length).toBeGreaterThan(20);

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const long = {
    op: "add",
    path: "/amber",
    value: { weight: 7, payload: { type: "string", value: "amber" } },
  };
  const pasted = JSON.stringify(JSON.stringify([...stopping, long]));
  await page.evaluate(`navigator.clipboard.writeText(${pasted})`);
  await text.fill("");
  await text.focus();
  await page.keyboard.press("Control+V");
  await expect.poll(lines).toContain('    "op": "add",');
  expect(await lines()).toContain('  {"op":"replace","path":"/green/weight","value":50},');
});

it.each(["light", "dark"] as const)("has no violation that axe-core finds, in %s", async (colorScheme) => {
  const { page } = ui;
  await page.emulateMedia({ colorScheme });
  await ui.write(stopping);
  await page.getByText("What do I send by curl?").click();
  await ui.expectSummary("would stop");
  await ui.expectAccessible();
  await page.setViewportSize({ width: 375, height: 667 });
  await ui.write([{ op: "test" }]);
  await ui.expectSummary("Not valid");
  await ui.expectAccessible();
});

it("shows the verdict without scrolling at 375 pixels and while one scrolls, and wraps the patch", async () => {
  const { page } = ui;
  await page.setViewportSize({ width: 375, height: 667 });
  await ui.write(stopping);
  await ui.expectSummary("would stop");
  const text = page.getByLabel("JSON Patch");
  expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const isVisible = async () => {
    const { y = -1, height = 0 } = (await page.locator("#result").boundingBox()) ?? {};
    return y >= 0 && y + height <= 667;
  };

  expect(await isVisible()).toBe(true);
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(500);
  expect(await isVisible()).toBe(true);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(375);
});

it("shows hostile names as text that reorders nothing", async () => {
  const markup = '<img src=x onerror="document.title=1">';
  const hostile = `\u202e${markup}`;
  const payload = { type: `string${markup}`, value: hostile };
  const overrides = [
    { contextName: hostile, values: [markup] },
    { contextName: "long", values: Array.from({ length: 500 }, (_, index) => `user-${index}`) },
  ];
  const named = { name: "'(a)*~!", weight: 1000, weightType: "variable", stickiness: hostile };
  const environments = { dev: { variants: [{ ...named, payload, overrides }] }, [hostile]: { variants: [] } };
  const { apiKeys } = JSON.parse(readFileSync(state, "utf8"));
  const projects = [{ id: "default", environments: ["dev", hostile] }];
  const features = [{ name: hostile, project: "default", environments }];
  const server = await startServer("--state", fileOf({ projects, features, apiKeys }));
  try {
    await ui.open(hostile, server);
    const { page, complaints } = ui;
    await ui.write([{ op: "remove", path: "/'(a)*~0!" }]);

    await ui.expectSummary("would stop");
    expect(await page.locator("img").count()).toBe(1);
    expect(await page.title()).toBe(`Burgee: \\u202e${markup}`);
    expect(await page.locator("#editing").innerText()).toContain(`\\u202e${markup}`);
    expect(await page.locator("body").innerText()).not.toContain("\u202e");
    expect(await page.locator("#editing").ariaSnapshot()).not.toContain("\u202e");
    expect(complaints).toEqual([]);
    await ui.expectAccessible();
  } finally {
    await server.kill();
  }
});
