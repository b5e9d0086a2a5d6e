/** The Python client that openapi-generator makes of the OpenAPI document reads every response. */
import path from "node:path";
import { startBurgee } from "burgee/local";
import { beforeAll, expect, it } from "vitest";
import { fetchPython } from "../../infra/build/fetch.mjs";
import { runProgram } from "../support/program.ts";

const programs = fetchPython("openapi-generator", "test/clients/requirements.txt");
const client = path.resolve(".cache/clients/python");

beforeAll(async () => {
  const generator = path.join(programs, "openapi-generator-cli");
  const given = ["generate", "-g", "python", "-i", "infra/reference/openapi.json", "-o", client];
  expect(await runProgram(generator, given)).toMatchObject({ code: 0 });
});

it("reads, lists, previews, patches, undoes, updates tags and reads errors", async () => {
  const { url, keys } = await startBurgee();
  const env = {
    ...process.env,
    PYTHONPATH: client,
    BURGEE_URL: url,
    BURGEE_KEY: keys.demo,
    BURGEE_READER: keys.reader,
  };

  const { code, err } = await runProgram(path.join(programs, "python"), ["test/clients/calls.py"], { env });

  expect(code, err).toBe(0);
});
