/** Takes the picture of the README: a patch that would stop in production, above the last changes. */
import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { stopping, usePage } from "./patch-page.ts";

const ui = usePage("reads", "--font-render-hinting=none");

it("takes stops-in-production", async () => {
  const { page } = ui;
  await ui.patchElsewhere("development", [{ op: "replace", path: "/red/weight", value: 150 }]);
  await page.setViewportSize({ width: 1280, height: 920 });
  await ui.write(`[\n${stopping.map((operation) => `  ${JSON.stringify(operation)}`).join(",\n")}\n]`);
  await ui.expectSummary("would stop in production");
  await page.getByRole("button", { name: "Apply" }).hover();
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync("docs/stops-in-production.webp", Buffer.from(data, "base64"));
});
