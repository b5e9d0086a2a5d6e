/** The commands of docs/LOCAL.md, typed at a terminal as a newcomer types them, one after the other. */
import { readFileSync } from "node:fs";
import { startBurgee } from "burgee/local";
import { afterAll, expect, it } from "vitest";
import { hasTerminal, noTerminal } from "../../support/terminal.ts";
import { runAtTerminal } from "../admin/command-line.ts";

const burgee = await startBurgee();
afterAll(() => burgee.stop());

const page = readFileSync("docs/LOCAL.md", "utf8");
const commands = [...page.matchAll(/^burgee (.+)$/gm)].map(([, typed = ""]) => typed);
const env = { ...process.env, BURGEE_KEY: burgee.keys.demo };
const type = (typed: string) =>
  runAtTerminal(`node dist/tools/admin.mjs --url ${burgee.url} ${typed}`, () => "y\r", env);

it("each works, and what they change is listed", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  expect(commands).toHaveLength(7);

  for (const typed of commands) expect(await type(typed), typed).toMatchObject({ code: 0 });

  const { shown } = await type("feature history checkout");
  for (const did of ["incident 7", "undoes", "strategies/rollout", "/variants/green"])
    expect(shown).toContain(did);
}, 60_000);
