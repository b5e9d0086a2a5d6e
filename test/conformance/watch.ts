/** Passes calls on to the engine, and remembers the cases of which it refused a call. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface CreateCall {
  TableName: string;
  AttributeDefinitions: readonly { AttributeName: string }[];
  KeySchema: object;
  GlobalSecondaryIndexes?: readonly { ProvisionedThroughput?: object }[];
  LocalSecondaryIndexes?: object;
  ProvisionedThroughput?: object;
}

export async function watch(engine: string): Promise<{ endpoint: string; refusals: ReadonlySet<string> }> {
  const refusals = new Set<string>();
  let running = "";
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.url === "/running") {
      running = text;
      return response.end();
    }
    const target = String(request.headers["x-amz-target"]);
    const body = target.endsWith(".CreateTable") ? JSON.stringify(reduced(JSON.parse(text))) : text;
    const answer = await fetch(engine, { method: "POST", headers: { "x-amz-target": target }, body });
    const answered = await answer.text();
    if (answered.includes("The embedded engine serves Burgee's own calls only")) refusals.add(running);
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" }).end(answered);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { refusals, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The suite makes these tables before all cases: without their local indexes and throughput, which the engine refuses. */
const shared = /^_conformance_(?:hash|hashN|composite|compositeN|compositeB)_\d+_\d+$/;

function reduced(call: CreateCall): object {
  if (!shared.test(call.TableName)) return call;
  const { LocalSecondaryIndexes, ProvisionedThroughput, ...others } = call;
  const indexes = call.GlobalSecondaryIndexes?.map(({ ProvisionedThroughput: _, ...index }) => index);
  const used = JSON.stringify([call.KeySchema, indexes]);
  return {
    ...others,
    AttributeDefinitions: call.AttributeDefinitions.filter(({ AttributeName: name }) =>
      used.includes(`"AttributeName":"${name}"`),
    ),
    ...(indexes && { GlobalSecondaryIndexes: indexes }),
    BillingMode: "PAY_PER_REQUEST",
  };
}
