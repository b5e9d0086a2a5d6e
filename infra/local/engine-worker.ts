/** The thread of the embedded engine: reports its port, or ends with the error that it cannot start for. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { createDynalite } from "./dynalite.ts";

const server = await createDynalite(workerData);
server.listen(0, "127.0.0.1");
await once(server, "listening");
parentPort?.postMessage((server.address() as AddressInfo).port);
parentPort?.once("message", () => {
  server.close(() => process.exit());
  server.closeAllConnections();
});
