/** The embedded engine as a process of its own: it tells its parent its port, and ends with it. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createDynalite } from "./dynalite.ts";

const [path = "", port = "0", keeping] = process.argv.slice(2);
const server = createDynalite({ path });

process.on("disconnect", () => {
  if (keeping === "temporary") rmSync(path, { recursive: true, force: true });
  process.exit();
});
// Ctrl-C reaches the whole group; the parent decides when the engine is needed no more.
process.on("SIGINT", () => {});

server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
process.send?.({ port: (server.address() as AddressInfo).port });
