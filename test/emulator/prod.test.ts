/** Keeping data: a stage can use another table, such as a restored one, and the table of prod outlives its stack. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "./call.ts";
import { putTag } from "./requests.ts";
import { type Deployed, openStage, type Stage } from "./stage.ts";

let prod: Stage;
let first: Deployed;

beforeAll(async () => {
  prod = await openStage("prod");
  first = await prod.deploy();
});
afterAll(() => prod?.close());

it("a deployment that names another table serves that table's data", async () => {
  expect(await call(first.url, putTag("team-b"))).toMatchObject({ status: 401 });
  await prod.sources.npm(
    "admin",
    "--endpoint",
    prod.endpoint,
    "--table",
    "restored",
    "apply",
    "infra/demo.json",
  );
  prod.sources.change("infra/stages.yml", (content) =>
    content
      .replace("table: { Ref: Table }", "table: restored")
      .replace("releases: canary", "releases: atOnce"),
  );

  const { code, url, table } = await prod.deploy();

  expect({ code, url, table }).toEqual({ code: 0, url: first.url, table: "restored" });
  expect(await call(url, putTag("team-b"))).toMatchObject({ status: 201 });
});

it("the removal keeps the table and its data", async () => {
  await prod.sources.npm("admin", "--table", first.table, "apply", "infra/demo.json");

  const { code } = await prod.npm("remove", "--yes");

  const { err } = await prod.npm("status");
  const { out } = await prod.sources.npm("admin", "--table", first.table, "feature", "list");
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("there is no stack burgee-prod") });
  expect(out).toContain("checkout");
});
