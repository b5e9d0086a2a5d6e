/** The page that previews a patch: applying it, alone and under concurrency, here and at another Burgee. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import {
  choose,
  developmentKey,
  everywhere,
  expectAccessible,
  expectEnabled,
  expectNotices,
  expectObstacle,
  expectSummary,
  key,
  patchElsewhere,
  patchText,
  press,
  show,
  state,
  stored,
  usePage,
  variant,
  write,
} from "./patch-page.ts";

const opened = usePage("writes");
const sticky = [{ op: "replace", path: "/blue/stickiness", value: "userId" }];

it("sends the ETag of the preview and an idempotency key, and shows what is stored then", async () => {
  const { page, requests } = opened;
  await write(page, everywhere);

  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
  const writes = requests.filter((request) => request.method() === "PATCH" && !/dryRun/.test(request.url()));
  expect(writes.map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": expect.stringMatching(/^"[\w-]+"$/),
      "idempotency-key": expect.stringMatching(/^page-\w+$/),
    }),
  ]);
  expect(await patchText(page)).toEqual([]);
  await expectSummary(page, "As it is stored");
  expect(await variant(page, "production", 2).innerText()).toMatch(/red\s+fix\s+50/);
});

it("copies the variants of one environment onto another, and onto no third", async () => {
  const { page, server } = opened;
  await expectSummary(page, "As it is stored");

  await choose(page, { Environment: "production", "Copy from": "development" });
  await press(page, "Copy");
  await expectSummary(page, "The patch would change production.");
  await press(page, "Apply");

  await expectNotices(page, "Applied, as previewed.");
  expect(await stored(server, "production")).toEqual(await stored(server, "development"));
  expect(await stored(server, "staging")).toMatchObject([{ weight: 334 }, {}, {}]);
});

it("patches development with a key for development alone", async () => {
  const { page, server } = opened;
  await show(page, { key: developmentKey });
  await write(page, sticky);
  await expectSummary(page, "The patch would change development, staging, production.");
  const environmentVariants = "UPDATE_FEATURE_ENVIRONMENT_VARIANTS";
  await expectObstacle(
    page,
    `This key lacks UPDATE_FEATURE_VARIANTS, ${environmentVariants} in staging, ${environmentVariants} in production.`,
  );
  await expectEnabled(page, "Apply", false);

  await choose(page, { Environment: "development" });
  await expectSummary(page, "The patch would change development.");
  expect(await page.locator("#scopes option").count()).toBe(3);
  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect(await stored(server, "development")).toMatchObject([{ stickiness: "userId" }, {}, {}]);
  await page.getByRole("button", { name: /^Undo: / }).click();
  await expectSummary(page, "The undo would change development.");
  await press(page, "Undo it");
  await expectNotices(page, /^Undone, as previewed.$/);
  expect(await stored(server, "development")).toMatchObject([{ stickiness: "default" }, {}, {}]);
});

it("sends the reason of a patch, and shows it in the list of changes", async () => {
  const { page } = opened;
  await write(page, sticky);
  const reason = "100%25 of <b>Zoë's</b> users";
  await choose(page, { Reason: reason });
  await expectSummary(page, "would change");

  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  await expect.poll(() => page.locator("#changes").innerText()).toContain(reason);
  expect(await page.getByLabel("Reason").inputValue()).toBe("");
});

it("shows the curl command that does what Apply would", async () => {
  const { page, server } = opened;
  await write(page, everywhere);
  await expectSummary(page, "would change");

  await page.getByText("What do I send by curl?").click();
  const command = await page.locator("details pre").innerText();

  expect(command).not.toContain(key);
  expect(command).toMatch(/if-match: .*idempotency-key: /s);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, "Copy the command");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
  const env = { ...process.env, BURGEE_KEY: key };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
  expect(JSON.parse(stdout)).toMatchObject({ variants: { red: { weight: 50 } } });
  expect(await stored(server, "production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
});

it("after a conflict says what an index means now, and waits until the change was seen", async () => {
  const { page, server } = opened;
  const byIndex = [{ op: "replace", path: "/0/stickiness", value: "userId" }];
  await choose(page, { "Variants by": "index" });
  await write(page, byIndex);
  await expectSummary(page, "would change");
  await patchElsewhere(server, "staging", [{ op: "add", path: "/aardvark", value: { weight: 0 } }]);

  await press(page, "Apply");

  await expectNotices(
    page,
    /^Nothing was applied\s+Another request has changed the variants since this preview.\s+Changed since the preview\s+staging: \/0 was blue and is now aardvark.*aardvark\s+added/s,
  );
  expect(await page.getByText(/ETag|If-Match/).count()).toBe(0);
  expect(await patchText(page)).toEqual(byIndex);
  expect(await stored(server, "development")).toMatchObject([{ stickiness: "default" }, {}, {}]);
  await expectEnabled(page, "Apply", false);
  expect(await page.locator("#plan").innerText()).toContain("Look first at what has changed.");
  await expectAccessible(page);

  await write(page, [...byIndex, ...byIndex]);
  await expectSummary(page, "would change");
  await expectEnabled(page, "Apply", false);
  await press(page, "I have seen it");
  await expectEnabled(page, "Apply", true);
  await press(page, "Apply");
  await expectNotices(page, /^Applied, as previewed.$/);
});

/** Adds the headers of CORS to the responses of another server, as API Gateway does. */
async function allow(other: LocalServer, exposed: string): Promise<void> {
  const { page, server } = opened;
  await page.route(`${other.url}/**`, async (route) => {
    const { origin: _, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    const allowed = { "access-control-allow-origin": server.url, "access-control-expose-headers": exposed };
    await route.fulfill({ response, headers: { ...response.headers(), ...allowed } });
  });
}

it.each([
  ["is served where its CORS allows it", "etag,burgee-change,burgee-environments", "would change"],
  ["is refused where its CORS does not expose the ETag", "location", /must expose ETag/],
  ["is refused where its CORS does not allow the page", undefined, /^No response from .*CORS/],
])("another Burgee %s, as nothing else can be applied safely", async (_, exposed, summary) => {
  const { page, server } = opened;
  const other = await startServer("--state", state);
  try {
    if (exposed !== undefined) await allow(other, exposed);
    await show(page, { address: other.url });
    await write(page, sticky);
    await expectSummary(page, summary);
    const isServed = summary === "would change";
    await expectEnabled(page, "Apply", isServed);
    if (!isServed) return;
    await press(page, "Apply");

    await expectNotices(page, "Applied, as previewed.");
    expect(await stored(other, "production")).toMatchObject([{ stickiness: "userId" }, {}]);
    expect(await stored(server, "production")).toMatchObject([{ stickiness: "default" }, {}]);
  } finally {
    // A preview may be under way.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await other.kill();
  }
});
