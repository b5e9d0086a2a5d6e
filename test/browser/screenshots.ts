/** Takes the pictures of the README: a patch that would stop in production, and the same patch by name. */
import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { byName, expectSummary, stopping, usePage, write } from "./patch-page.ts";

const opened = usePage("reads", undefined, "--font-render-hinting=none");

it.each([
  { file: "stops-in-production", form: "index", patch: stopping, summary: "would stop in production" },
  { file: "by-name", form: "name", patch: byName, summary: "would change" },
])("takes $file", async ({ file, form, patch, summary }) => {
  const { page } = opened;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page
    .getByLabel("Address")
    .evaluate((input) => Object.assign(input, { value: "http://127.0.0.1:3000" }));
  await page.getByLabel("Variants by").selectOption(form);
  const lines = patch.map((operation) => `  ${JSON.stringify(operation)}`).join(",\n");
  await write(page, `[\n${lines}\n]`);
  await expectSummary(page, summary);
  await page.getByRole("button", { name: "Apply" }).hover();
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync(`infra/patch-page/${file}.webp`, Buffer.from(data, "base64"));
});
