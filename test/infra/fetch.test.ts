/** What some commands fetch into .cache, once for each version. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { runNode } from "../support/program.ts";
import { newFolder } from "./clients/admin/command-line.ts";

it("two processes that need the same packages at once fetch them once, also after one was killed", async () => {
  const folder = newFolder();
  folder.file("package.json", { name: "wanted", version: "1.0.0" });
  const cwd = newFolder();
  mkdirSync(path.join(cwd.path, ".cache"));
  // No process has this id.
  writeFileSync(path.join(cwd.path, ".cache/wanted.lock"), "99999999");
  const program = `import { fetchPackages } from "${pathToFileURL("infra/build/fetch.mjs")}";
    fetchPackages("wanted", [${JSON.stringify(folder.path)}]);`;
  const run = () => runNode(["--input-type=module", "-e", program], { cwd: cwd.path });

  const runs = await Promise.all([run(), run()]);

  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(runs.map(({ err }) => err).join("")).toBe("burgee: fetching wanted into .cache...\n");
});
