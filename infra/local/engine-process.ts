/** Runs the embedded engine as a process: it reports its port to its parent, and ends when the parent ends. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { createDynalite } from "./dynalite.ts";

const [path = "", port = "0", keeping, ...allowHost] = process.argv.slice(2);
const server = createDynalite({ path, allowHost });

process.on("disconnect", () => {
  if (keeping === "temporary") rmSync(path, { recursive: true, force: true });
  process.exit();
});
// Ctrl-C reaches the whole process group; the parent decides when to stop the engine.
process.on("SIGINT", () => {});

server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
const listening = (server.address() as AddressInfo).port;
if (keeping === "kept") await openFolder(listening);
process.send?.({ port: listening });

/** Sends a first request, which raises an uncaught exception if another process has the folder open. */
async function openFolder(on: number): Promise<void> {
  const refuse = () => process.send?.({ locked: true }, () => process.exit(1));
  process.once("uncaughtException", refuse);
  const headers = {
    "x-amz-target": "DynamoDB_20120810.ListTables",
    "content-type": "application/x-amz-json-1.0",
    "x-amz-date": "20260101T000000Z",
    authorization: "AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=d",
  };
  const call = request({ host: "127.0.0.1", port: on, method: "POST", headers, agent: false });
  call.end("{}");
  const [answer] = await once(call, "response");
  await once(answer.resume(), "end");
  process.off("uncaughtException", refuse);
}
