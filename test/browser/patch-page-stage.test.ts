/** The page that previews a patch, as a function serves it: at a stage, without the local server's own pages. */
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readStateFile } from "../../infra/state/state.ts";
import { linkOfAgent } from "../support/agent.ts";
import { strangers } from "./chromium.ts";
import { key, proposed, readerKey, state, usePage } from "./patch-page.ts";

const ui = usePage("reads");

let stage: Burgee;
beforeAll(async () => {
  stage = await startBurgee({ state: await readStateFile(state) });
});
afterAll(() => stage?.stop());

it("opens the link of an agent, which a person applies with a key that is entered and kept nowhere", async () => {
  await ui.page.close();
  const checkout = { project: "default", feature: "checkout" };
  await ui.openUrl(await linkOfAgent(stage.url, readerKey, { ...checkout, patch: proposed }));
  const { page } = ui;
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(await page.getByRole("link", { name: "API reference" }).count()).toBe(0);

  await ui.show({ key });
  await ui.expectNotices("Nothing has changed since it was made.");
  await ui.press("Apply");

  await ui.expectNotices(/^Applied: checkout in /);
  await ui.expectSummary("As it is stored");
  await ui.variant("production", 0).locator("summary").click();
  expect(await ui.variant("production", 0).innerText()).toMatch(/stickiness\s+userId/);
  await ui.expectAccessible();
  const storage = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  expect(storage).not.toContain(key);
  expect(strangers(ui.requests, stage.url)).toEqual([]);
  expect(ui.complaints).toEqual([]);
});

it("can call no other host, even if a script were to", async () => {
  await ui.page.close();
  await ui.openUrl(`${stage.url}/patch`);

  const refused = `fetch("${ui.server.url}/patch").then(() => "sent", () => "refused")`;
  expect(await ui.page.evaluate(refused)).toBe("refused");
  expect(ui.complaints.join()).toMatch(/Content Security Policy/);
});
