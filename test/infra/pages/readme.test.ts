/** The README's examples, pasted into a shell one after the other, after the calls that `npm start` prints. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../../support/program.ts";
import { useServer } from "../../support/server.ts";
import { newFolder } from "../admin/command-line.ts";

const page = readFileSync("README.md", "utf8");
/** Commands, and below them what they print. */
const examples = [...page.matchAll(/```sh\n([^`]+)```\n\n```text\n([^`]+)```/g)].map(
  ([, command = "", shown = ""]) => ({ command, shown }),
);

const server = await useServer();

it("prints what the README shows", async () => {
  const data = path.join(newFolder().path, ".burgee");
  const printedCalls = server.lines.filter((one) => one.startsWith("curl "));
  const script = [
    ...printedCalls.map((call) => `${call} > /dev/null`),
    ...examples.map(({ command }) => `${command}printf '\\0'`),
  ]
    .join("\n")
    .replaceAll("http://127.0.0.1:3000", server.url)
    .replaceAll(" .burgee ", ` ${data} `);
  // The packages are built, and curl is not at a terminal here.
  const preamble =
    'npm() { shift 4; node dist/tools/admin.mjs "$@"; }\ncurl() { command curl -s "$@"; }\nexec 2>&1';
  // Leaves out the settings of the user who runs the tests.
  const env = { PATH: process.env.PATH };

  const { out } = await runProgram("bash", ["-c", `${preamble}\n${script}`], { env });

  const printed = out.split("\0").slice(0, -1);
  expect([printedCalls.length, examples.length > 5]).toEqual([2, true]);
  expect(printed).toHaveLength(examples.length);
  for (const [index, { command, shown }] of examples.entries()) {
    expect(printed[index]?.replaceAll(/\s/g, ""), command).toMatch(looksLike(shown));
  }
});

it("has the recipe that test:package runs", () => {
  expect(page).toContain(readFileSync("test/package/project/burgee.spec.ts", "utf8"));
});

/** All but space must be the same; ids and new keys only in their form. `...` stands for what is left out. */
function looksLike(shown: string): RegExp {
  const parts = shown.replaceAll(/\s/g, "").split("...");
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const anyId = pattern
    .join(".*")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "[0-9a-f-]{36}")
    .replaceAll(/burgee_[\w-]{43}/g, "burgee_[\\w-]{43}");
  return new RegExp(`^${anyId}$`);
}
