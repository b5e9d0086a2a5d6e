/** The tour of docs/LOCAL.md, typed at a terminal as a newcomer types it, one command after the other. */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { useServer } from "../../support/server.ts";
import { hasTerminal, noTerminal } from "../../support/terminal.ts";
import { runAtTerminal } from "../clients/admin/command-line.ts";
import { looksLike } from "./looks-like.ts";

const { url } = await useServer();
const page = readFileSync("docs/LOCAL.md", "utf8");
const tour = page.split(/^(?=###? )/m).find((text) => text.startsWith("### A first tour")) ?? "";

/** A block of commands, and what the last of them shows. */
const steps = [...tour.matchAll(/```sh\n([^`]+)```(?:\n\n```text\n([^`]+)```)?/g)].map(
  ([, block = "", shown = ""]) => ({
    commands: block.split("\n").filter((one) => /^burgee /.test(one)),
    shown,
  }),
);

/** The packages are built, and the address is that of this server. */
const typed = (command: string) => command.replace(/^burgee /, `node dist/tools/admin.mjs --url ${url} `);

const [, key = ""] = /export BURGEE_KEY=(\S+)/.exec(tour) ?? [];
const type = (command: string) =>
  runAtTerminal(typed(command), () => "y\r", { ...process.env, BURGEE_KEY: key });

/** Without the codes that move the cursor. A question is drawn again with its answer, and once it is answered. */
const plain = (shown: string) =>
  stripVTControlCharacters(shown).replaceAll(/\? [^?]*\?\s*\(y\/N\)(?! y)|[✔√] [^?]*\? Yes/g, "");

it("works, and shows what the page says", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  expect(steps.flatMap(({ commands }) => commands)).toHaveLength(10);
  expect(steps.filter(({ shown }) => shown !== "")).toHaveLength(5);

  for (const { commands, shown } of steps) {
    let last = "";
    for (const command of commands) {
      const result = await type(command);
      expect(result, command).toMatchObject({ code: 0 });
      last = plain(result.shown);
    }
    if (shown !== "") expect(last.replaceAll(/\s/g, ""), commands.at(-1)).toMatch(looksLike(shown));
  }

  const { shown } = await type("burgee feature list");
  expect(shown).toContain("production on for 25 %, 2 variants");
}, 90_000);
