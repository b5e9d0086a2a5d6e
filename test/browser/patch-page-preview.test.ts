/** The page that previews a patch: what it shows of the environments, and of a patch before it is applied. */
import { expect, it } from "vitest";
import { startServer } from "../support/server.ts";
import {
  byName,
  expectEnabled,
  expectSummary,
  key,
  outcomes,
  patchText,
  press,
  show,
  stopping,
  stored,
  usePage,
  variant,
  write,
} from "./patch-page.ts";

const opened = usePage("reads");

it("shows the environments side by side, and marks what differs from the first", async () => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");

  const columns = page.locator(".environments > section");
  const names = ["development", "staging", "production"];
  expect(await columns.getByRole("heading").allInnerTexts()).toEqual(names);
  const boxes = await Promise.all((await columns.all()).map((column) => column.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(await variant(page, "development", 2).innerText()).toMatch(
    /red\s+fix\s+100\s+payload \(json\)\s+\{"colour":"#c00"\}\s+overrides\s+userId: ann, ben/,
  );
  expect(await columns.nth(0).getByText("differs from").count()).toBe(0);
  expect(await columns.nth(1).getByText("differs from").allInnerTexts()).toEqual([
    "differs from development: weight",
    "differs from development: weight",
    "differs from development: weight, weightType, payload (json), overrides",
  ]);
  expect(await variant(page, "production", 1).innerText()).toBe("not in this environment");
});

it("shows where a patch would stop, what it does to the weights, and each error once, at its operation", async () => {
  const { page } = opened;
  await write(page, stopping);

  await expectSummary(page, "The patch would stop in production; development, staging would stay patched.");
  expect(await outcomes(page)).toEqual(["will be patched", "will be patched", "failed"]);
  expect(await variant(page, "staging", 0).innerText()).toMatch(/blue\s+changed\s+334 → 475\s+normalised/);
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.allInnerTexts()).toEqual([
    expect.stringMatching(/^0 replace \/2\/weightType.*production: index 2 is out of range/s),
    expect.stringMatching(/^1 replace \/2\/weight\s+✕$/),
  ]);
  expect(await page.getByText("out of range").count()).toBe(1);
  await expectEnabled(page, "Apply, and stop in production", true);
  expect(await stored(opened.server, "development")).toMatchObject([{ weight: 450 }, {}, { weight: 100 }]);
});

it("previews the same patch by name, which applies everywhere", async () => {
  const { page } = opened;
  await write(page, byName);
  await page.getByLabel("Variants by").selectOption("name");

  await expectSummary(page, "The patch would change development, staging, production.");
  expect(await variant(page, "production", 2).innerText()).toMatch(
    /red\s+variable → fix\s+changed\s+500 → 50/,
  );
});

it("draws environments after the failure as not attempted, and shows an error that no operation has", async () => {
  const { page } = opened;
  await write(
    page,
    [0, 1].map((index) => ({ op: "replace", path: `/${index}/weightType`, value: "fix" })),
  );

  await expectSummary(page, "The patch would fail in development; nothing would be written.");
  expect(await outcomes(page)).toEqual(["failed", "not attempted", "not attempted"]);
  const development = page.getByRole("region", { name: "development" });
  expect(await development.innerText()).toContain("at least one variant must have weightType variable");
  await expectEnabled(page, "Apply", false);
});

it("names the default of a stickiness that is not set, and what became of a weight, with the hint", async () => {
  const { page } = opened;
  const amber = { name: "amber", weight: 7 };
  await write(page, [
    { op: "replace", path: "/0/stickiness", value: "userId" },
    { op: "add", path: "/-", value: amber },
  ]);

  await expectSummary(page, "would change");
  expect(await variant(page, "production", 0).innerText()).toMatch(/333.*the patch wrote 7, normalised/s);
  expect(await variant(page, "production", 1).innerText()).toMatch(/stickiness\s+default → userId/);
  const production = page.getByRole("region", { name: "production" });
  expect(await production.innerText()).toMatch(/weight.*variable variants.*set weightType to fix/is);
});

it("shows the last preview unmixed until the next one is there, and does not apply it", async () => {
  const { page } = opened;
  await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 7 } }]);
  await expectSummary(page, "would change");
  await page.route("**/*dryRun*", () => {});

  await write(page, [{ op: "add", path: "/-", value: { name: "amber", weight: 8 } }]);
  await show(page, { feature: "search" });

  expect(await page.locator("#preview > h2").innerText()).toBe("checkout");
  expect(await variant(page, "production", 0).innerText()).toContain("the patch wrote 7");
  await expectEnabled(page, "Apply", false);
});

it.each([
  ['[{"op":"remove"', "Line 1"],
  ['[\n  {"op":"remove"\n  "path":"/0"}\n]', "Line 3"],
  ['[\n  {"op":x}\n]', "Line 2"],
  ['[\n  {"op":"remove","path":"/0"},\n]', "Line 3"],
  ["[]\n[]", "Line 2"],
])("names the line at which %j stops being JSON, and keeps the environments", async (text, line) => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");

  await write(page, text);

  await expectSummary(page, `${line}: `);
  expect(await page.getByLabel("JSON Patch").getAttribute("aria-invalid")).toBe("true");
  expect(await page.locator(".environments > section").count()).toBe(3);
});

it("shows an invalid operation at that operation, whatever it consists of, and deletes it", async () => {
  const { page } = opened;
  const valid = { op: "remove", path: "/0" };
  await write(page, [valid, { op: "test", path: "/0" }, null, 7, "<b>"]);

  await expectSummary(page, "Not valid: operation 1, 2, 3, 4.");
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.nth(1).innerText()).toContain("must be one of add, remove, replace, copy, move");
  expect(await operations.nth(2).innerText()).toContain("must be an object");
  expect(await page.getByText("must be one of").count()).toBe(1);
  for (const index of [4, 3, 2, 1]) await press(page, `Delete operation ${index}`);
  expect(await patchText(page)).toEqual([valid]);
  expect(opened.complaints).toEqual([]);
});

it.each([
  ["a wrong key", { key: "wrong" }, "A valid API key is required"],
  ["an unknown feature", { feature: "nothing" }, 'has no feature "nothing"'],
])("reports %s", async (_, fields, message) => {
  await show(opened.page, fields);

  await expectSummary(opened.page, message);
});

it("shows the demo's feature at once, lists the others, and leads to the reference and back", async () => {
  const demo = await startServer();
  const { page } = opened;
  const listed = () => page.locator("#features option").evaluateAll((all) => all.map(({ value }) => value));
  try {
    await page.goto(demo.url);
    await page.getByRole("link", { name: "Preview a patch" }).click();
    await expectSummary(page, "As it is stored");
    expect(await page.getByLabel("API key").inputValue()).toBe("burgee-demo-key-for-this-machine");
    await expect.poll(listed).toEqual(["checkout", "search"]);
    await page.getByLabel("Project").fill("");
    await show(page, { feature: "search" });
    await expect.poll(() => page.getByLabel("Project").inputValue()).toBe("default");
    await show(page, { key: "wrong" });
    await expect.poll(listed).toEqual([]);

    await page.getByRole("link", { name: "API reference" }).click();
    expect(await page.title()).toBe("Burgee: API reference");
  } finally {
    await demo.kill();
  }
});

it("says what is missing while there is no key", async () => {
  const { page, server } = opened;
  await page.goto(`${server.url}/patch`);

  await expectSummary(page, "Enter an API key and a feature, and press Show.");
  expect(await page.locator("body").innerText()).not.toContain(key);
});
