/** Scripts of npm work from the folder that a user is in, though npm starts them in that of the clone. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { done, newFolder } from "../infra/clients/admin/command-line.ts";
import { runProgram } from "../support/program.ts";
import { projectOf } from "../support/seed.ts";

const folder = newFolder();
const inFolder = (name: string) => path.join(folder.path, name);

/** As in a folder of the clone: npm finds the clone, and runs the script there. */
const npm = (...given: string[]) =>
  runProgram("npm", ["--prefix", path.resolve("."), "run", "--silent", ...given], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path },
  });

it("a path is relative to the folder of the user in npm run admin: --data, a file that is read, and a file that is written", async () => {
  folder.file("sub.json", { projects: [projectOf("default", "production")], features: [], apiKeys: [] });

  const applied = await npm("admin", "--", "--data", "data", "apply", "sub.json", "--yes");
  const exported = await npm("admin", "--", "--data", "data", "export", "out.json");

  expect(applied).toMatchObject({ code: 0 });
  expect(exported).toMatchObject({ code: 0 });
  expect(existsSync(inFolder("data/dynamodb"))).toBe(true);
  expect(JSON.parse(readFileSync(inFolder("out.json"), "utf8")).projects).toMatchObject([{ id: "default" }]);
});

it("npm run admin prints commands that can be pasted", async () => {
  const at = ["admin", "--", "--data", "data"];
  await npm(...at, "feature", "create", "dark");

  const { err } = await npm(
    ...at,
    "feature",
    "rollout",
    "dark",
    "10",
    "--environment",
    "production",
    "--yes",
  );

  expect(err).toContain(
    "to switch it on, run: npm run --silent admin -- --data data feature on dark --environment production\n",
  );
});

it("a path is relative to the folder of the user in npm start: --data and --state", async () => {
  folder.file("sub.json", {});
  folder.file("empty.json", { projects: [projectOf("default", "production")], features: [], apiKeys: [] });
  const started = await npm("start", "--", "--port", "0", "--data", "sub.json", "--state", "empty.json");
  expect(started).toMatchObject({
    code: 1,
    err: expect.stringContaining("not a directory, mkdir 'sub.json/dynamodb'"),
  });
});

it("a path is relative to the folder of the user in npm run invoke: the event", async () => {
  const { out } = await npm("invoke", "--", "--sample", "listTags");
  folder.file("event.json", JSON.parse(out));

  expect(await npm("invoke", "--", "tags", "event.json")).toMatchObject({ code: 0 });
});

it("a program that npm has not started uses the folder that it is started in", async () => {
  const env = { PATH: process.env.PATH, INIT_CWD: path.resolve("."), npm_lifecycle_script: "./sync.sh" };
  const given = [path.resolve("dist/tools/admin.mjs"), "--data", "data", "project", "list"];

  expect(await runProgram(process.execPath, given, { cwd: folder.path, env })).toEqual(
    done(expect.stringContaining("default")),
  );
});
