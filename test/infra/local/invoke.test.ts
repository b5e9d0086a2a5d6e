/** `npm run invoke`: a process that calls one function with one event. */
import { type Burgee, startBurgee } from "burgee/local";
import { afterAll, beforeEach, expect, it } from "vitest";
import { declaredRoutes } from "../../../infra/local/routes.ts";
import { readSampleEvents } from "../../../infra/local/sample-events.ts";
import { document } from "../../support/document.ts";
import { runNode } from "../../support/program.ts";
import { newFolder } from "../clients/admin/command-line.ts";

const folder = newFolder();

function invoke(given: readonly string[], input = "") {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
  return runNode(["dist/tools/invoke.mjs", ...given], { env, input });
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const names = operations.map(({ operationId }) => operationId);
const samples = readSampleEvents();

const functionOf = (operation: string) => {
  const [method, path] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === operation ? [method.toUpperCase(), path] : [],
    ),
  );
  const isOf = (route: (typeof declaredRoutes)[number]) =>
    route.path === path && ["*", method].includes(route.method);
  return declaredRoutes.find(isOf)?.function.name as Parameters<Burgee["invoke"]>[0];
};

const demo = await startBurgee();
beforeEach(() => demo.reset());
afterAll(() => demo.stop());

it.each(names)("the sample event of %s gets its response", async (name) => {
  const { statusCode, headers, body = "" } = await demo.invoke(functionOf(name), Object(samples.get(name)));

  // The demo has no changes, no strategies, and no deleted feature.
  const statusOf: Record<string, number> = {
    updateTags: 201,
    createFeature: 201,
    archiveFeature: 202,
    restoreFeature: 409,
    addFeatureStrategy: 200,
  };
  const status = statusOf[name] ?? (/^undo|FeatureStrategy$/.test(name) ? 404 : 200);
  expect([statusCode, headers["content-type"]]).toEqual([status, "application/json"]);
  // As in Unleash.
  if (name === "getFeatureStrategies") return expect(JSON.parse(body)).toEqual([]);
  if (name === "addFeatureStrategy") return expect(JSON.parse(body)).toMatchObject({ id: "quarter" });
  if (name === "archiveFeature")
    return expect(JSON.parse(body)).toMatchObject({ deletion: expect.any(String) });
  const errors: Record<number, object> = { 404: { name: "NotFoundError" }, 409: { name: "ConflictError" } };
  const success = name === "getFlagdDocument" ? { flags: {} } : { version: expect.any(Number) };
  expect(JSON.parse(body)).toMatchObject(errors[status] ?? success);
});

it.concurrent.each([
  ["listTags", { tags: [{ value: "team-a" }] }],
  ["patchFeatureVariants", { version: 1 }],
  ["listProjects", { projects: [{ id: "default" }] }],
])("prints the response to the sample event of %s, and the log on stderr", async (name, json) => {
  const { out: sample } = await invoke(["--sample", name]);
  const file = folder.file(`${name}.json`, JSON.parse(sample));

  const { code, out, err } = await invoke([functionOf(name), file]);

  const { statusCode, body } = JSON.parse(out);
  // Each event has an id and a time of its own.
  const { requestContext: _, headers: __, ...event } = JSON.parse(sample);
  expect(samples.get(name)).toMatchObject(event);
  expect([code, statusCode, JSON.parse(body)]).toMatchObject([0, 200, json]);
  expect(JSON.parse(err)).toMatchObject({ status: 200, caller: "demo" });
});

it.concurrent.each([
  ["tags - --state nowhere.json", 1, "nowhere.json cannot be read"],
  ["--sample flags", 2, "Allowed choices are listTags, updateTags"],
])("the exit code of %j is %i, with one line that says why", async (command, code, reason) => {
  const run = await invoke(command.split(" "), "{}");

  expect(run).toEqual({ code, out: "", err: expect.stringMatching(/^burgee: .*\n$/) });
  expect(run.err).toContain(reason);
});
