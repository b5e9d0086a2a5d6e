/**
 * A release of prod: a new version of the function that changed, and the alias that the API calls points at it.
 * The emulator lacks CodeDeploy and moves the alias at once, so this does not test the canary.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "./call.ts";
import { putTag } from "./requests.ts";
import { type Deployed, openStage, type Stage } from "./stage.ts";

let prod: Stage;
let first: Deployed;

beforeAll(async () => {
  prod = await openStage("prod");
  first = await prod.deploy();
  await prod.sources.npm("admin", "--table", first.table, "apply", "infra/demo.json");
});
afterAll(() => prod?.close());

it("the API calls the first release through its alias", async () => {
  expect(first.code).toBe(0);
  expect(await call(first.url, putTag("team-b"))).toMatchObject({ status: 201 });
  expect(await versions()).toEqual({ tags: ["1", ["1"]], variants: ["1", ["1"]] });
});

it("a release that is rolled back leaves no version, which would prevent it from being deployed again", async () => {
  prod.sources.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 204"));
  prod.sources.addFailing();

  const { code } = await prod.deploy();

  prod.sources.restore();
  expect(code).toBe(1);
  expect(await versions()).toEqual({ tags: ["1", ["1"]], variants: ["1", ["1"]] });
});

it("a changed function gets a new version, which the alias points at; the other keeps its version", async () => {
  prod.sources.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

  const { code } = await prod.deploy();

  expect(code).toBe(0);
  expect(await versions()).toEqual({ tags: ["3", ["1", "3"]], variants: ["1", ["1"]] });
  expect(await call(first.url, putTag("team-c"))).toMatchObject({ status: 200 });
});

it("the old version is retained, and serves again when the alias points at it", async () => {
  await lambda("update-alias", "tags", "--name live --function-version 1");

  expect(await call(first.url, putTag("team-d"))).toMatchObject({ status: 201 });
});

it("the first release, deployed at once, replaces the alias that was moved; a canary creates it again", async () => {
  prod.sources.restore();
  prod.sources.change("infra/stages.yml", (content) =>
    content.replace("releases: canary", "releases: atOnce"),
  );

  const atOnce = await prod.deploy();

  expect(atOnce).toMatchObject({ code: 0, url: first.url });
  expect(await call(first.url, putTag("team-e"))).toMatchObject({ status: 201 });
  await expect(lambda("get-alias", "tags", "--name live")).rejects.toThrow("ResourceNotFoundException");
  prod.sources.restore();
  prod.sources.change("functions/tags.ts", (content) => content.replace("status: 201", "status: 200"));

  const canary = await prod.deploy();

  expect(canary).toMatchObject({ code: 0, url: first.url });
  expect(await call(first.url, putTag("team-f"))).toMatchObject({ status: 200 });
});

/** Reads the version of each function's alias, and all retained versions. */
async function versions() {
  const [tags, variants] = await Promise.all(["tags", "variants"].map(versionsOf));
  return { tags, variants };
}

async function versionsOf(name: string): Promise<[string, string[]]> {
  const alias = await lambda("get-alias", name, "--name live");
  const { Versions } = await lambda("list-versions-by-function", name);
  const kept = Versions.map(({ Version }: { Version: string }) => Version);
  return [alias.FunctionVersion, kept.filter((version: string) => version !== "$LATEST")];
}

async function lambda(command: string, name: string, more = "") {
  const { out, err } = await prod.sources.shell(
    `aws lambda ${command} --function-name burgee-prod-${name} ${more}`,
  );
  if (out === "") throw new Error(err);
  return JSON.parse(out);
}
