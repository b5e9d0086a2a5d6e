/** Takes the pictures of the README and of docs: the board with a switch about to be pressed, and a patch that would stop. */
import { writeFileSync } from "node:fs";
import { it } from "vitest";
import { fileOf } from "../infra/admin/command-line.ts";
import { startServer } from "../support/server.ts";
import { key, stopping, usePage } from "./patch-page.ts";

const ui = usePage("reads", "--font-render-hinting=none");

async function take(name: string): Promise<void> {
  const chromium = await ui.page.context().newCDPSession(ui.page);
  const { data } = await chromium.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync(`docs/${name}.webp`, Buffer.from(data, "base64"));
}

it("takes stops-in-production", async () => {
  const { page } = ui;
  await ui.patchElsewhere("development", [{ op: "replace", path: "/red/weight", value: 150 }]);
  await page.setViewportSize({ width: 1280, height: 920 });
  await ui.write(`[\n${stopping.map((operation) => `  ${JSON.stringify(operation)}`).join(",\n")}\n]`);
  await ui.expectSummary("would stop in production");
  await page.getByRole("button", { name: "Apply" }).hover();
  await take("stops-in-production");
});

const environments = ["development", "staging", "production"];

/** Weights by name, in each environment; without them it is off there. */
function flag(name: string, tags: string[], ...lists: (Record<string, number> | undefined)[]) {
  const content = (weights: Record<string, number> = lists[0] ?? {}) =>
    Object.entries(weights).map(([variant, weight]) => ({
      name: variant,
      weight,
      weightType: "variable",
      stickiness: "default",
    }));
  return {
    name,
    project: "default",
    tags: tags.map((value) => ({ type: "simple", value })),
    environments: Object.fromEntries(
      environments.map((environment, index) => [
        environment,
        { enabled: lists[index] !== undefined, variants: content(lists[index]) },
      ]),
    ),
  };
}

it("takes board", async () => {
  const half = { long: 500, short: 500 };
  const thirds = { apple: 334, google: 333, paypal: 333 };
  const features = [
    flag("cart-reminder", ["growth"], { daily: 250, weekly: 750 }, { daily: 250, weekly: 750 }, undefined),
    flag(
      "checkout",
      ["payments", "team-a"],
      { blue: 450, green: 450, red: 100 },
      { blue: 450, green: 450, red: 100 },
      { blue: 900, red: 100 },
    ),
    flag("checkout-address", ["team-a"], half, half, undefined),
    flag("checkout-coupon", ["team-b"], {}, {}, {}),
    flag("checkout-express", ["beta", "team-a"], thirds, thirds, { apple: 1000 }),
    flag(
      "fraud-check",
      ["risk"],
      { lenient: 800, strict: 200 },
      { lenient: 800, strict: 200 },
      { lenient: 950, strict: 50 },
    ),
    flag("search-ranking", ["search"], { control: 500, treatment: 500 }, undefined, undefined),
  ];
  const projects = [{ id: "default", environments }];
  const apiKeys = [{ name: "test", key, permissions: [{ permission: "ADMIN" }] }];
  const server = await startServer("--state", fileOf({ projects, features, apiKeys }));
  try {
    await ui.page.close();
    await ui.openBoard(key, server);
    const { page } = ui;
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.getByRole("switch", { name: "checkout in production", exact: true }).click();
    const confirm = page.getByRole("button", { name: "Switch off" });
    await confirm.and(page.locator(":enabled")).hover();
    await take("board");
  } finally {
    await server.kill();
  }
});
