/** Runs the embedded engine as a process: it reports its port to its parent, and ends when the parent ends. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createDynalite } from "./dynalite.ts";
import type { Message } from "./engine.ts";

const [path = "", keeping, ...allowHost] = process.argv.slice(2);

process.on("disconnect", end);
// The parent may have ended while this program was loading.
if (!process.connected) end();

const server = createDynalite({ path, allowHost });
try {
  await server.opened;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies Message);
} catch (error) {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  process.send?.({ failure: message, isLocked: code === "LEVEL_LOCKED" } satisfies Message, end);
}

function end(): void {
  if (keeping === "temporary") rmSync(path, { recursive: true, force: true });
  process.exit();
}
