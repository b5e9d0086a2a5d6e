/** The page that previews a patch: what it shows of the environments, and of a patch before it is applied. */
import { expect, it } from "vitest";
import { startServer } from "../support/server.ts";
import { key, stopping, usePage } from "./patch-page.ts";

const ui = usePage("reads");

it("shows the environments side by side, and marks what differs from the first", async () => {
  const { page } = ui;
  await ui.expectSummary("As it is stored");

  const columns = page.locator(".environments > section");
  const names = ["development", "staging", "production"];
  expect(await columns.getByRole("heading").allInnerTexts()).toEqual(names);
  const boxes = await Promise.all((await columns.all()).map((column) => column.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  await ui.variant("development", 2).locator("summary").click();
  expect(await ui.variant("development", 2).innerText()).toMatch(
    /red\s+fix\s+100\s+payload \(json\), overrides\s+payload \(json\)\s+\{"colour":"#c00"\}\s+overrides\s+userId: ann, ben/,
  );
  expect(await columns.nth(0).getByText("differs from").count()).toBe(0);
  expect(await columns.nth(1).getByText("differs from").allInnerTexts()).toEqual([
    "differs from development: weight",
    "differs from development: weight",
    "differs from development: weight, weightType, payload (json), overrides",
  ]);
  expect(await ui.variant("production", 1).innerText()).toBe("not in this environment");
});

it("shows where a patch would stop, what it does to the weights, and each error once, at its operation", async () => {
  const { page } = ui;
  await ui.write(stopping);

  await ui.expectSummary("The patch would stop in production; development, staging would stay patched.");
  expect(await ui.outcomes()).toEqual(["will be patched", "will be patched", "failed"]);
  expect(await ui.variant("staging", 0).innerText()).toMatch(/blue\s+changed\s+334 → 475\s+normalised/);
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.allInnerTexts()).toEqual([
    expect.stringMatching(/^0 replace \/green\/weightType.*production: there is no variant "green"/s),
    expect.stringMatching(/^1 replace \/green\/weight\s+✕$/),
  ]);
  expect(await page.getByText("there is no variant").count()).toBe(1);
  await ui.expectEnabled("Apply, and stop in production", true);
  expect(await ui.stored("development")).toMatchObject([{ weight: 450 }, {}, { weight: 100 }]);
});

it("draws environments after the failure as not attempted, and shows an error that no operation has", async () => {
  const { page } = ui;
  await ui.write(
    ["blue", "green"].map((name) => ({ op: "replace", path: `/${name}/weightType`, value: "fix" })),
  );

  await ui.expectSummary("The patch would fail in development; nothing would be written.");
  expect(await ui.outcomes()).toEqual(["failed", "not attempted", "not attempted"]);
  const development = page.getByRole("region", { name: "development" });
  expect(await development.innerText()).toContain("at least one variant must have weightType variable");
  await ui.expectEnabled("Apply", false);
});

it("names the default of a stickiness that is not set, and what became of a weight, with the hint", async () => {
  const { page } = ui;
  await ui.write([
    { op: "replace", path: "/blue/stickiness", value: "userId" },
    { op: "add", path: "/amber", value: { weight: 7 } },
  ]);

  await ui.expectSummary("would change");
  expect(await ui.variant("production", 0).innerText()).toMatch(/334.*the patch wrote 7, normalised/s);
  expect(await ui.variant("production", 1).innerText()).toMatch(/stickiness\s+default → userId/);
  const production = page.getByRole("region", { name: "production" });
  expect(await production.innerText()).toMatch(/weight.*variable variants.*set weightType to fix/is);
});

it("shows the last preview unmixed until the next one is there, and does not apply it", async () => {
  const { page } = ui;
  await ui.write([{ op: "add", path: "/amber", value: { weight: 7 } }]);
  await ui.expectSummary("would change");
  await page.route("**/*dryRun*", () => {});

  await ui.write([{ op: "add", path: "/amber", value: { weight: 8 } }]);
  await ui.show({ feature: "search" });

  expect(await page.locator("#preview h2").innerText()).toBe("checkout");
  expect(await ui.variant("production", 0).innerText()).toContain("the patch wrote 7");
  await ui.expectEnabled("Apply", false);
});

it.each([
  ['[\n  {"op":"remove"\n  "path":"/0"}\n]', "(line 3 column 3)"],
  ['[\n  {"op":x}\n]', '{"op":x}'],
])("says where %j stops being JSON, and keeps the environments", async (text, place) => {
  const { page } = ui;
  await ui.expectSummary("As it is stored");

  await ui.write(text);

  await ui.expectSummary(place);
  expect(await page.getByLabel("JSON Patch").getAttribute("aria-invalid")).toBe("true");
  expect(await page.locator(".environments > section").count()).toBe(3);
});

it("shows an invalid operation at that operation, whatever it consists of, and deletes it", async () => {
  const { page } = ui;
  const valid = { op: "remove", path: "/blue" };
  await ui.write([valid, { op: "test", path: "/0" }, null, 7, "<b>"]);

  await ui.expectSummary("Not valid: operation 1, 2, 3, 4.");
  const operations = page.getByRole("list", { name: "Operations" }).getByRole("listitem");
  expect(await operations.nth(1).innerText()).toContain("must be one of add, remove, replace, copy, move");
  expect(await operations.nth(2).innerText()).toContain("must be an object");
  expect(await page.getByText("must be one of").count()).toBe(1);
  for (const index of [4, 3, 2, 1]) await ui.press(`Delete operation ${index}`);
  expect(await ui.patchText()).toEqual([valid]);
  expect(ui.complaints).toEqual([]);
});

it.each([
  ["a wrong key", { key: "wrong" }, "A valid API key is required"],
  ["an unknown feature", { feature: "nothing" }, 'has no feature "nothing"'],
])("reports %s, and that the changes are not known", async (_, fields, message) => {
  const { page } = ui;
  await ui.show(fields);

  await ui.expectSummary(message);
  expect(await page.locator("#changes").innerText()).toMatch(/^Last changes\s+They could not be read.$/);
});

it("starts another feature with an empty patch, and brings the old one back", async () => {
  const { page } = ui;
  await ui.write(stopping);
  await ui.expectSummary("would stop");

  await ui.show({ feature: "search" });
  await ui.expectSummary("As it is stored");
  expect(await ui.patchText()).toEqual([]);
  await ui.show({ feature: "checkout" });
  expect(await ui.patchText()).toEqual([]);
  await ui.press("Bring back the patch of checkout");

  await ui.expectSummary("would stop");
  expect(await ui.patchText()).toEqual(stopping);
  await ui.write([]);
  await ui.expectSummary("As it is stored");
  expect(await page.getByText("Bring back").count()).toBe(0);
});

it("keeps a patch that is written before the feature is entered", async () => {
  const { page } = ui;
  await page.reload();
  await ui.write(stopping);
  await ui.show({ key, feature: "checkout" });

  await ui.expectSummary("would stop");
  expect(await ui.patchText()).toEqual(stopping);
});

it("says before Apply which variants an index means, after the operations before it", async () => {
  const { page } = ui;
  await ui.choose({ "Variants by": "index" });
  await ui.write([
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

  await ui.write([
    { op: "remove", path: "/1" },
    { op: "remove", path: "/1" },
  ]);
  await ui.expectSummary("The patch would stop in production");
  expect(await operations.locator("p").allInnerTexts()).toEqual([
    sentence,
    expect.stringContaining("out of range"),
  ]);
});

it("shows a removed variant as it was, and offers the environments in their order", async () => {
  const { page } = ui;
  await ui.write([{ op: "remove", path: "/red" }]);
  await ui.choose({ Environment: "production" });
  await ui.expectSummary("The patch would change production.");
  const offered = await page.locator("#scopes option").evaluateAll((all) => all.map(({ value }) => value));
  expect(offered).toEqual(["development", "staging", "production"]);

  await ui.choose({ Environment: "development" });
  await ui.expectSummary("The patch would change development.");
  const removed = await ui.variant("development", 2).innerText();
  expect(removed).toMatch(/red\s+fix\s+removed\s+100\s+payload \(json\)\s+\{"colour":"#c00"\}\s+overrides/);
  expect(removed).not.toContain("→");
});

it("reports a server that does not respond, and keeps what was read, marked as old", async () => {
  const { page } = ui;
  await ui.expectSummary("As it is stored");
  await page.route("**/api/**", (route) => route.abort());
  await ui.press("Show");

  await ui.expectSummary(`No response from ${ui.server.url}`);
  expect(await page.locator("#preview").innerText()).toMatch(/As it was read at .*development.*production/s);
  expect(await page.locator("#changes").innerText()).toMatch(/^Last changes\s+None is kept.$/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("shows the demo's flags at once, and leads to the reference and back", async () => {
  const demo = await startServer();
  const { page } = ui;
  try {
    await page.goto(demo.url);
    await page.getByRole("link", { name: "Flags" }).click();
    await page.getByRole("link", { name: "checkout" }).waitFor();
    expect(await page.getByLabel("API key").inputValue()).toBe("burgee-demo-key-for-this-machine");

    await page.getByRole("link", { name: "API reference" }).click();
    expect(await page.title()).toBe("Burgee: API reference");
  } finally {
    await demo.kill();
  }
});

it("offers the projects that the key may read, and the features of the one that is shown", async () => {
  const { page } = ui;
  const offered = (list: string) =>
    page.locator(`${list} option`).evaluateAll((all) => all.map((option) => Object(option).value));

  await page.getByLabel("Feature").focus();

  await expect.poll(() => offered("#features")).toEqual(["checkout", "search"]);
  expect(await offered("[name=project]")).toEqual(["default"]);
});
