/** The page that previews a patch: its form, on large and small screens, by keyboard, and with hostile names. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startServer } from "../support/server.ts";
import {
  choose,
  expectAccessible,
  expectSummary,
  openPage,
  patchText,
  press,
  state,
  stopping,
  usePage,
  write,
} from "./patch-page.ts";

const opened = usePage("reads");

/** Fills fields of a group, and presses its button. */
async function use(group: string, button: string, values: Record<string, string>): Promise<void> {
  const fields = opened.page.getByRole("group", { name: group });
  await choose(fields, values);
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
    const { page } = opened;
    await expectSummary(page, "As it is stored");
    await choose(page, { "Variants by": form, Environment: "development" });

    await use("Add a variant", "Add", { Name: "amber" });
    await use("Add a variant", "Add", { Name: "navy/~1", Weight: "250" });
    await use("Change a variant", "Fix the weight", { Variant: "navy/~1", "Fixed weight": "20" });
    await use("Change a variant", "Rename", { Variant: "green", "New name": "teal" });
    await use("Change a variant", "Remove", { Variant: "blue" });
    await use("Change a variant", "Remove", { Variant: "teal" });

    expect(await patchText(page)).toEqual(written);
  });
});

it("by index, no button writes a patch that is for different variants", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");
  const group = page.getByRole("group", { name: "Change a variant" });
  const expectUsable = async (usable: boolean[]) =>
    expect.poll(() => isEnabled(group.getByRole("button"))).toEqual(usable);

  await choose(page, { "Variants by": "index" });
  await choose(group, { Variant: "green" });

  await expectUsable([false, false, false]);
  expect(await group.innerText()).toContain(
    "/1 is green in development, staging, but red in production. Choose an environment, or variants by name.",
  );
  await choose(group, { Variant: "blue" });
  await expectUsable([true, true, true]);
  await choose(page, { Environment: "development" });
  await use("Change a variant", "Remove", { Variant: "green" });
  expect(await patchText(page)).toEqual([{ op: "remove", path: "/1" }]);
  await choose(page, { Environment: "" });
  await expectSummary(page, /^The patch would change .*\. \/1 is green in development, staging, but red/);
});

it("long operations are formatted, copied and pasted ones", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");
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
  const { page } = opened;
  await page.emulateMedia({ colorScheme });
  await write(page, stopping);
  await page.getByText("What do I send by curl?").click();
  await expectSummary(page, "would stop");
  await expectAccessible(page);
  await page.setViewportSize({ width: 375, height: 667 });
  await write(page, [{ op: "test" }]);
  await expectSummary(page, "Not valid");
  await expectAccessible(page);
});

it("shows the verdict without scrolling at 375 pixels and while one scrolls, and wraps the patch", async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 375, height: 667 });
  await write(page, stopping);
  await expectSummary(page, "would stop");
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
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
});

it("is used by keyboard alone", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");
  await page.getByLabel("Weight", { exact: true }).focus();

  for (const key of ["Tab", "Tab", "ArrowDown", "Tab", "Enter"]) await page.keyboard.press(key);

  expect(await patchText(page)).toEqual([{ op: "remove", path: "/green" }]);
});

it("has a strict policy, and shows hostile names as text that reorders nothing", async () => {
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
  const file = path.join(mkdtempSync(path.join(tmpdir(), "burgee-test-")), "state.json");
  writeFileSync(file, JSON.stringify({ projects, features, apiKeys }));
  const server = await startServer("--state", file);
  try {
    const { page, complaints } = await openPage(opened.browser, server, { feature: hostile });
    const policy = (await fetch(`${server.url}/patch`)).headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain("unsafe");

    await write(page, [{ op: "remove", path: "/'(a)*~0!" }]);

    await expectSummary(page, "would stop");
    expect(await page.locator("img").count()).toBe(1);
    expect(await page.title()).toBe("Burgee: preview a patch");
    expect(await page.locator("main").innerText()).toContain(`\\u202e${markup}`);
    expect(await page.locator("body").innerText()).not.toContain("\u202e");
    expect(await page.locator("main").ariaSnapshot()).not.toContain("\u202e");
    expect(complaints).toEqual([]);
    await expectAccessible(page);
  } finally {
    await server.kill();
  }
});

it("an added variant whose weight cannot be kept says why", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");
  await write(page, [{ op: "replace", path: "", value: {} }]);
  await use("Add a variant", "Add", { Name: "amber", Weight: "250" });

  await expectSummary(page, "The patch would fail in development");
  expect(await page.locator("#preview").innerText()).toContain(
    "at least one variant must have weightType variable",
  );
  await press(page, "Delete operation 0");
  await expectSummary(page, "would change");
});
