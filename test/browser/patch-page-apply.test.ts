/** The page that previews a patch: applying it, alone and under concurrency. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { developmentKey, everywhere, key, usePage } from "./patch-page.ts";

const ui = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

it("sends the ETag of the preview and an idempotency key, and shows what is stored then", async () => {
  const { page, requests } = ui;
  await ui.write(everywhere);

  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
  const writes = requests.filter((request) => request.method() === "PATCH" && !/dryRun/.test(request.url()));
  expect(writes.map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": expect.stringMatching(/^"[\w-]+"$/),
      "idempotency-key": expect.stringMatching(/^page-\w+$/),
    }),
  ]);
  expect(await ui.patchText()).toEqual([]);
  await ui.expectSummary("As it is stored");
  expect(await ui.variant("production", 2).innerText()).toMatch(/red\s+fix\s+50/);
});

it("copies the variants of one environment onto another, and onto no third", async () => {
  await ui.expectSummary("As it is stored");

  await ui.choose({ Environment: "production", "Copy from": "development" });
  await ui.press("Copy");
  await ui.expectSummary("The patch would change production.");
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  expect(await ui.stored("production")).toEqual(await ui.stored("development"));
  expect(await ui.stored("staging")).toMatchObject([{ weight: 334 }, {}, {}]);
});

it("patches development with a key for development alone", async () => {
  const { page } = ui;
  await ui.show({ key: developmentKey });
  await ui.write(sticky);
  await ui.expectSummary("The patch would change development, staging, production.");
  const environmentVariants = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  await ui.expectObstacle(
    `This key lacks UPDATE_FEATURE_VARIANTS, ${environmentVariants} in staging, ${environmentVariants} in production.`,
  );
  await ui.expectEnabled("Apply", false);

  await ui.choose({ Environment: "development" });
  await ui.expectSummary("The patch would change development.");
  expect(await page.locator("#scopes option").count()).toBe(3);
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  expect(await ui.stored("development")).toMatchObject([{ stickiness: "userId" }, {}, {}]);
  await page.getByRole("button", { name: /^Undo in .*: / }).click();
  await ui.expectSummary("The undo would change development.");
  await ui.press("Undo it");
  await ui.expectNotices(/^Undone: checkout in /);
  expect(await ui.stored("development")).toMatchObject([{ stickiness: "default" }, {}, {}]);
});

it("shows the curl command that does what Apply would", async () => {
  const { page } = ui;
  await ui.write(everywhere);
  await ui.expectSummary("would change");

  await page.getByText("What do I send by curl?").click();
  const command = await page.locator("#plan details pre").innerText();

  expect(command).not.toContain(key);
  expect(command).toMatch(/if-match: .*idempotency-key: /s);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ui.press("Copy the command");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
  const env = { ...process.env, BURGEE_KEY: key };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
  expect(JSON.parse(stdout)).toMatchObject({ variants: { red: { weight: 50 } } });
  expect(await ui.stored("production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
});

it("shows a curl command only of the patch whose preview it shows", async () => {
  const { page } = ui;
  const command = page.locator("#plan details pre");
  await ui.expectSummary("As it is stored");
  await page.getByText("What do I send by curl?").click();
  expect(await command.innerText()).toMatch(/-H 'if-match: "[\w-]+"'/);

  await page.route("**/*dryRun*", () => {});
  await ui.write(everywhere);
  await expect.poll(() => command.count()).toBe(0);
  expect(await page.locator("#plan details").innerText()).toMatch(/once .* is previewed/);

  await page.unroute("**/*dryRun*");
  await ui.write("[");
  await ui.expectSummary(/JSON/);
  expect(await command.count()).toBe(0);
  await page.route("**/*dryRun*", (route) => route.abort());
  await ui.write(sticky);
  await ui.expectSummary(/^No response/);
  expect(await command.count()).toBe(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

it("after a conflict says what an index means now, and waits until the change was seen", async () => {
  const { page } = ui;
  const byIndex = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
  await ui.choose({ "Variants by": "index" });
  await ui.write(byIndex);
  await ui.expectSummary("would change");
  await ui.patchElsewhere("staging", [{ op: "add", path: "/aardvark", value: { weight: 0 } }]);

  await ui.press("Apply");

  await ui.expectNotices(
    /^Nothing was applied\s+Another request has changed the variants since this preview.\s+Changed since the preview\s+staging: \/0 was blue and is now aardvark.*aardvark\s+added/s,
  );
  expect(await page.getByText(/ETag|If-Match/).count()).toBe(0);
  expect(await ui.patchText()).toEqual(byIndex);
  expect(await ui.stored("development")).toMatchObject([{ stickiness: "default" }, {}, {}]);
  await ui.expectEnabled("Apply", false);
  expect(await page.locator("#plan").innerText()).toContain("Look first at what has changed.");
  await ui.expectAccessible();

  await ui.write([...byIndex, ...byIndex]);
  await ui.expectSummary("would change");
  await ui.expectEnabled("Apply", false);
  await ui.press("I have seen it");
  await ui.expectEnabled("Apply", true);
  await ui.press("Apply");
  await ui.expectNotices(/^Applied: checkout in /);
});

it("applies nothing where a response has no ETag, as it could not see what changes meanwhile", async () => {
  const { page } = ui;
  await page.route("**/*dryRun*", async (route) => {
    const response = await route.fetch();
    const { etag: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await ui.write(sticky);

  await ui.expectSummary(/has no ETag/);
  await ui.expectEnabled("Apply", false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
