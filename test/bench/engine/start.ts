/** Starts the embedded engine with the table, behind a proxy that counts calls, with and without TLS. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream";
import { createServer } from "node:tls";
import { startEngine } from "../../../infra/local/engine.ts";
import type { State } from "../../../infra/state/state-file-schemas.ts";
import { createTable } from "../../../infra/store/create-table.ts";
import { writeState } from "../../../infra/store/write-state.ts";
import type { Session } from "../../../lib/store/dynamodb/session.ts";
import { listen } from "../../support/listening.ts";
import { openTable, settingsOf } from "../../support/table.ts";
import { createWire, type Wire } from "../../support/wire.ts";

type Variables = Record<string, string>;

export interface BenchEngine {
  wire: Wire;
  /** The environment variables of a function that uses TLS, as on AWS: over plain HTTP the SDK loads another client. */
  overTls: Variables;
  plain: Variables;
  session: Session;
  store(state: State): Promise<void>;
}

const table = "burgee";
/** Self-signed for localhost, with its key. */
const certificate = path.resolve("test/bench/engine/localhost.pem");

/** Ends with this process. */
export async function startBenchEngine(): Promise<BenchEngine> {
  const wire = await createWire((await startEngine()).endpoint);
  const plain = {
    ...settingsOf(wire.endpoint),
    AWS_SESSION_TOKEN: "local",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    TABLE_NAME: table,
    KEY_CACHE_SECONDS: "3600",
  };
  const overTls = {
    ...plain,
    ...settingsOf(await startTls(wire.endpoint)),
    NODE_EXTRA_CA_CERTS: certificate,
  };
  Object.assign(process.env, plain);
  await createTable(table);
  const session = openTable(table);
  return { wire, overTls, plain, session, store: (state) => writeState(session, state) };
}

async function startTls(to: string): Promise<string> {
  const pem = readFileSync(certificate);
  const server = createServer({ key: pem, cert: pem, noDelay: true }, (socket) => {
    const upstream = connect({ host: "127.0.0.1", port: Number(new URL(to).port), noDelay: true });
    // A sandbox that ends breaks its connection.
    pipeline(socket, upstream, socket, () => {});
  });
  return `https://localhost:${await listen(server)}`;
}
