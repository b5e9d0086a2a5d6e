/** The page that previews a patch: what it shows of the environments, and of a patch before it is applied. */
import { expect, it } from "vitest";
import { startServer } from "../support/server.ts";
import {
  choose,
  everywhere,
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
    expect.stringMatching(/^0 replace \/green\/weightType.*production: there is no variant "green"/s),
    expect.stringMatching(/^1 replace \/green\/weight\s+✕$/),
  ]);
  expect(await page.getByText("there is no variant").count()).toBe(1);
  await expectEnabled(page, "Apply, and stop in production", true);
  expect(await stored(opened.server, "development")).toMatchObject([{ weight: 450 }, {}, { weight: 100 }]);
});

it("previews a patch of a variant that each environment has at another index", async () => {
  const { page } = opened;
  await write(page, everywhere);

  await expectSummary(page, "The patch would change development, staging, production.");
  expect(await variant(page, "production", 2).innerText()).toMatch(
    /red\s+variable → fix\s+changed\s+500 → 50/,
  );
});

it("draws environments after the failure as not attempted, and shows an error that no operation has", async () => {
  const { page } = opened;
  await write(
    page,
    ["blue", "green"].map((name) => ({ op: "replace", path: `/${name}/weightType`, value: "fix" })),
  );

  await expectSummary(page, "The patch would fail in development; nothing would be written.");
  expect(await outcomes(page)).toEqual(["failed", "not attempted", "not attempted"]);
  const development = page.getByRole("region", { name: "development" });
  expect(await development.innerText()).toContain("at least one variant must have weightType variable");
  await expectEnabled(page, "Apply", false);
});

it("names the default of a stickiness that is not set, and what became of a weight, with the hint", async () => {
  const { page } = opened;
  await write(page, [
    { op: "replace", path: "/blue/stickiness", value: "userId" },
    { op: "add", path: "/amber", value: { weight: 7 } },
  ]);

  await expectSummary(page, "would change");
  expect(await variant(page, "production", 0).innerText()).toMatch(/334.*the patch wrote 7, normalised/s);
  expect(await variant(page, "production", 1).innerText()).toMatch(/stickiness\s+default → userId/);
  const production = page.getByRole("region", { name: "production" });
  expect(await production.innerText()).toMatch(/weight.*variable variants.*set weightType to fix/is);
});

it("shows the last preview unmixed until the next one is there, and does not apply it", async () => {
  const { page } = opened;
  await write(page, [{ op: "add", path: "/amber", value: { weight: 7 } }]);
  await expectSummary(page, "would change");
  await page.route("**/*dryRun*", () => {});

  await write(page, [{ op: "add", path: "/amber", value: { weight: 8 } }]);
  await show(page, { feature: "search" });

  expect(await page.locator("#preview > h2").innerText()).toBe("checkout");
  expect(await variant(page, "production", 0).innerText()).toContain("the patch wrote 7");
  await expectEnabled(page, "Apply", false);
});

it.each([
  ['[\n  {"op":"remove"\n  "path":"/0"}\n]', "(line 3 column 3)"],
  ['[\n  {"op":x}\n]', '{"op":x}'],
])("says where %j stops being JSON, and keeps the environments", async (text, place) => {
  const { page } = opened;
  await expectSummary(page, "As it is stored");

  await write(page, text);

  await expectSummary(page, place);
  expect(await page.getByLabel("JSON Patch").getAttribute("aria-invalid")).toBe("true");
  expect(await page.locator(".environments > section").count()).toBe(3);
});

it("shows an invalid operation at that operation, whatever it consists of, and deletes it", async () => {
  const { page } = opened;
  const valid = { op: "remove", path: "/blue" };
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
  ["a dead address", { address: "http://127.0.0.1:9" }, /^No response from/],
])("reports %s, and that the changes are not known", async (_, fields, message) => {
  const { page } = opened;
  await show(page, fields);

  await expectSummary(page, message);
  expect(await page.locator("#changes").innerText()).toMatch(/^Last changes\s+They could not be read.$/);
});

it("starts another feature with an empty patch, and brings the old one back", async () => {
  const { page } = opened;
  await write(page, stopping);
  await expectSummary(page, "would stop");

  await show(page, { feature: "search" });
  await expectSummary(page, "As it is stored");
  expect(await patchText(page)).toEqual([]);
  await show(page, { feature: "checkout" });
  expect(await patchText(page)).toEqual([]);
  await press(page, "Bring back the patch of checkout");

  await expectSummary(page, "would stop");
  expect(await patchText(page)).toEqual(stopping);
  await write(page, []);
  await expectSummary(page, "As it is stored");
  expect(await page.getByText("Bring back").count()).toBe(0);
});

it("keeps a patch that is written before the feature is entered", async () => {
  const { page } = opened;
  await page.reload();
  await write(page, stopping);
  await show(page, { key, feature: "checkout" });

  await expectSummary(page, "would stop");
  expect(await patchText(page)).toEqual(stopping);
});

it("says before Apply which variants an index means, after the operations before it", async () => {
  const { page } = opened;
  await choose(page, { "Variants by": "index" });
  await write(page, [
    { op: "add", path: "/1", value: { name: "amber", weight: 0 } },
    { op: "remove", path: "/0" },
    { op: "replace", path: "/1/stickiness", value: "userId" },
  ]);

  const sentence = "/1 is green in development, staging, but red in production.";
  const wanted = `The patch would change development, staging, production. ${sentence}`;
  await expect.poll(() => page.locator("#result").innerText()).toBe(wanted);
  expect(await page.locator("#result").getAttribute("class")).toBe("failed");
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.locator("p").allInnerTexts()).toEqual([sentence]);
  expect(await operations.nth(2).innerText()).toContain(sentence);

  await write(page, [
    { op: "remove", path: "/1" },
    { op: "remove", path: "/1" },
  ]);
  await expectSummary(page, "The patch would stop in production");
  expect(await operations.locator("p").allInnerTexts()).toEqual([
    sentence,
    expect.stringContaining("out of range"),
  ]);
});

it("shows a removed variant as it was, and offers the environments in their order", async () => {
  const { page } = opened;
  await write(page, [{ op: "remove", path: "/red" }]);
  await choose(page, { Environment: "production" });
  await expectSummary(page, "The patch would change production.");
  const offered = await page.locator("#scopes option").evaluateAll((all) => all.map(({ value }) => value));
  expect(offered).toEqual(["development", "staging", "production"]);

  await choose(page, { Environment: "development" });
  await expectSummary(page, "The patch would change development.");
  const removed = await variant(page, "development", 2).innerText();
  expect(removed).toMatch(/red\s+fix\s+removed\s+100\s+payload \(json\)\s+\{"colour":"#c00"\}\s+overrides/);
  expect(removed).not.toContain("→");
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
