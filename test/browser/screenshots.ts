/** Takes the pictures of the README and of docs, of the demo: the board with a switch about to be pressed, and a flag about to be changed. */
import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import { usePage } from "./page.ts";

const ui = usePage("reads", "--font-render-hinting=none");

async function take(name: string): Promise<void> {
  const chromium = await ui.page.context().newCDPSession(ui.page);
  const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync(`docs/${name}.webp`, Buffer.from(data, "base64"));
}

async function onDemo(height: number, test: (server: LocalServer) => Promise<void>): Promise<void> {
  const server = await startServer();
  try {
    await ui.page.close();
    await ui.openUrl(`${server.url}/patch`);
    await ui.page.setViewportSize({ width: 1280, height });
    await test(server);
  } finally {
    await server.kill();
  }
}

it("takes board", async () => {
  await onDemo(640, async () => {
    await ui.toggle("production").click();
    await ui.confirmation().getByText("100 % of users").waitFor();
    await ui.confirmation().getByRole("button", { name: "Switch off" }).hover();
    await take("board");
  });
});

it("takes flag", async () => {
  await onDemo(860, async () => {
    await ui.page.getByRole("link", { name: "checkout", exact: true }).click();
    const staging = ui.region("staging");
    await staging.getByRole("button", { name: "Add a variant" }).click();
    await staging.getByLabel("Name", { exact: true }).fill("red");
    await staging.getByLabel(/^Percent, or empty/).fill("10");
    await ui.page.keyboard.press("Enter");
    await ui.confirmation().getByText("15 %").waitFor();
    await ui.confirmation().getByRole("button", { name: "Apply in staging" }).hover();
    await take("flag");
  });
});
