/** The examples of a page, pasted into a shell one after the other, after the calls that `npm start` prints. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../support/program.ts";
import { featureOf, tag } from "../../support/seed.ts";
import { startServer } from "../../support/server.ts";
import { newFolder } from "../clients/admin/command-line.ts";
import { looksLike } from "./looks-like.ts";

it.each([
  { page: "README.md", atLeast: 3 },
  { page: "docs/API.md", atLeast: 5 },
  { page: "docs/GUARDS.md", atLeast: 4 },
  { page: "docs/LOCAL.md", atLeast: 1 },
])("prints what $page shows", async ({ page, atLeast }) => {
  /** Commands, and below them what they print. */
  const pairs = readFileSync(page, "utf8").matchAll(/```sh\n([^`]+)```\n\n```text\n([^`]+)```/g);
  const examples = [...pairs]
    .map(([, command = "", shown = ""]) => ({ command, shown }))
    // Commands that ask are typed at a terminal, by a test of their own.
    .filter(({ command }) => !/^burgee /m.test(command));
  const data = path.join(newFolder().path, ".burgee");
  const server = await startServer();
  onTestFinished(() => void server.kill());
  const printedCalls = server.lines.filter((one) => one.startsWith("curl "));
  const script = [
    ...printedCalls.map((call) => `${call} > /dev/null`),
    ...examples.map(({ command }) => `${command}printf '\\0'`),
  ]
    .join("\n")
    .replaceAll("http://127.0.0.1:3000", server.url)
    .replaceAll(/(?<=^ENGINE=).*/gm, server.engine)
    .replaceAll(" .burgee ", ` ${data} `);
  // The packages are built, curl is not at a terminal here, and the tests need no jq.
  const preamble = `npm() { shift 4; node dist/tools/admin.mjs "$@"; }
curl() { command curl -s "$@"; }
type jq >/dev/null 2>&1 || jq() { sed 's/^{"version":1,"variants":\\(.*\\)}$/[{"op":"replace","path":"","value":\\1}]/'; }
exec 2>&1`;
  // Leaves out the settings of the user who runs the tests.
  const env = { PATH: process.env.PATH };

  const { out } = await runProgram("bash", ["-c", `${preamble}\n${script}`], { env });

  const printed = out.split("\0").slice(0, -1);
  expect(printedCalls).toHaveLength(2);
  expect(examples.length).toBeGreaterThanOrEqual(atLeast);
  expect(printed).toHaveLength(examples.length);
  for (const [index, { command, shown }] of examples.entries()) {
    expect(printed[index]?.replaceAll(/\s/g, ""), command).toMatch(looksLike(shown));
  }
});

it("goes back to Unleash: pushes each environment, and adds tags", async ({ skip }) => {
  const { code } = await runProgram("bash", ["-c", "type jq"]);
  skip(code !== 0, "needs jq");
  const page = readFileSync("docs/FROM-UNLEASH.md", "utf8");
  const [, script] = /## Going back\n[^`]+```sh\n([^`]+)```/.exec(page) ?? [];
  const folder = newFolder();
  folder.file("state.json", { features: [featureOf("a b", {}, { tags: [tag("team")] })] });
  const preamble = `npm() { echo "\${*:5}" >> calls; }
curl() { [[ $* =~ (http[^ ]*) ]] && echo "\${BASH_REMATCH[1]} $(tr -d ' \\n')" >> calls; }`;

  await runProgram("bash", ["-c", `${preamble}\nTABLE=t\nUNLEASH=http://u\n${script}`], { cwd: folder.path });

  expect(readFileSync(path.join(folder.path, "calls"), "utf8")).toBe(
    `--table t push --to http://u --environment development
--table t push --to http://u --environment production
--table t export state.json
http://u/api/admin/features/a%20b/tags ${JSON.stringify({ addedTags: [tag("team")], removedTags: [] })}
`,
  );
});

it("has the recipe that test:package runs", () => {
  expect(readFileSync("docs/LOCAL.md", "utf8")).toContain(
    readFileSync("test/package/project/burgee.spec.ts", "utf8"),
  );
});

it("has the example of a test that runs", () => {
  const [, ...example] = readFileSync("test/http/variants/one-environment.test.ts", "utf8").split("\n");
  expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(`\`\`\`ts\n${example.join("\n")}\`\`\``);
});
