/** Starts the engine and creates the table. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { State } from "../../../infra/state/state.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import { openTable, settingsOf } from "../../support/table.ts";

export interface Charge {
  call: string;
  /** Write units or read units, depending on the call. */
  units: number;
}

export interface BenchEngine {
  /** The environment variables of a function. */
  environment: Record<string, string>;
  store(state: State): Promise<void>;
  /** Returns the calls since the last time. */
  takeCharges(): Promise<Charge[]>;
  stop(): void;
}

const table = "burgee";
/** Self-signed for localhost, with its key. */
const certificate = path.resolve("test/bench/engine/localhost.pem");

export async function startEngine(): Promise<BenchEngine> {
  const child = fork(new URL("engine-process.mjs", import.meta.url));
  const [{ tlsPort, plainPort }] = await once(child, "message");
  const environment = {
    ...settingsOf(`https://localhost:${tlsPort}`),
    AWS_SESSION_TOKEN: "local",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    NODE_EXTRA_CA_CERTS: certificate,
    TABLE_NAME: table,
    KEY_CACHE_SECONDS: "3600",
  };
  Object.assign(process.env, environment, settingsOf(`http://127.0.0.1:${plainPort}`));
  await createTable(table);
  const session = openTable(table);
  const takeCharges = async () => {
    const answered = once(child, "message");
    child.send("take");
    const [charges] = await answered;
    return charges as Charge[];
  };
  return { environment, store: (state) => writeState(session, state), takeCharges, stop: () => child.kill() };
}
