/** What a function does while its sandbox starts: it prepares the first request, and neither fails nor holds it back. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSilentServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { EarlyAgent } from "../../lib/store/warm-up.ts";
import { makeCertificate } from "../bench/engine/certificate.ts";
import { freePort } from "../support/listening.ts";

const certificate = makeCertificate();
const folder = mkdtempSync(path.join(tmpdir(), "burgee-warm-up-"));
const authority = path.join(folder, "authority.pem");
writeFileSync(authority, certificate.cert);

const credentials = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  NODE_EXTRA_CA_CERTS: authority,
};

let connections = 0;
let requests: string[] = [];

/** No key is in its table. */
const tlsServer = createTlsServer({ ...certificate, keepAlive: true }, (request, response) => {
  requests.push(String(request.headers["x-amz-target"]));
  request.resume().on("end", () => response.end("{}"));
}).on("secureConnection", () => {
  connections++;
});
/** Accepts connections, and says nothing. */
const silentServer = createSilentServer(() => {});

beforeAll(async () => {
  await Promise.all([tlsServer, silentServer].map(listen));
});
afterAll(() => {
  tlsServer.closeAllConnections();
  for (const server of [tlsServer, silentServer]) server.close();
});
beforeEach(() => {
  connections = 0;
  requests = [];
});

async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

const endpointOf = (server: Server) => `https://localhost:${(server.address() as AddressInfo).port}`;

const request = (path: string) => `
  const event = { rawPath: ${JSON.stringify(path)}, headers: { authorization: "a key" }, isBase64Encoded: false,
    requestContext: { requestId: "1", http: { method: "GET", path: "/" } } };
  const endsAt = Date.now() + 1000;
  const context = { getRemainingTimeInMillis: () => endsAt - Date.now() };
  const startedAt = performance.now();
  handler(event, context).then(({ statusCode }) =>
    console.log(JSON.stringify({ status: statusCode, ms: performance.now() - startedAt })));`;
const tagsPath = "/api/admin/features/checkout/tags";

/** Loads a function as Lambda does, and runs the script in the same process. It ends when nothing is left to do. */
async function run(name: string, env: Record<string, string>, script = "") {
  const program = `const { handler } = require(${JSON.stringify(path.resolve(`dist/${name}.cjs`))}); ${script}`;
  const options = { env: { TABLE_NAME: "burgee", ...env }, timeout: 10_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--eval", program], options);
  const last = stdout.trim().split("\n").at(-1);
  return { answer: last ? JSON.parse(last) : undefined, stderr };
}

it.each(["tags", "variants"])(
  "%s opens one connection when it is loaded, and sends nothing",
  async (name) => {
    const env = { ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(tlsServer) };
    const { stderr } = await run(name, env, "setTimeout(() => {}, 500);");

    expect({ connections, requests, stderr }).toEqual({ connections: 1, requests: [], stderr: "" });
  },
);

it("the first request uses that connection, and is the first to be sent", async () => {
  const env = { ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(tlsServer) };
  const { answer } = await run("tags", env, `setTimeout(() => { ${request(tagsPath)} }, 300);`);

  expect(answer.status).toBe(401);
  expect({ connections, requests }).toEqual({ connections: 1, requests: ["DynamoDB_20120810.GetItem"] });
});

it("a request that arrives at once uses it too", async () => {
  const env = { ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(tlsServer) };
  const { answer } = await run("tags", env, request(tagsPath));

  expect(answer.status).toBe(401);
  expect({ connections, requests }).toEqual({ connections: 1, requests: ["DynamoDB_20120810.GetItem"] });
});

it.each([
  [
    "nothing listens",
    async () => ({ ...credentials, AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${await freePort()}` }),
  ],
  [
    "the host is unknown",
    async () => ({ ...credentials, AWS_ENDPOINT_URL_DYNAMODB: "https://burgee.invalid" }),
  ],
  [
    "the server is silent",
    async () => ({ ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(silentServer) }),
  ],
  ["there are no credentials", async () => ({ AWS_REGION: "eu-central-1" })],
  ["there is no region", async () => ({})],
])("loading neither fails nor waits where %s", async (_, environment) => {
  const { stderr } = await run("tags", await environment());

  expect(stderr).toBe("");
});

it("a request that needs no database does not wait for the connection", async () => {
  const env = { ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(silentServer) };
  const { answer } = await run("tags", env, request("/nowhere"));

  expect(answer.status).toBe(404);
  expect(answer.ms).toBeLessThan(500);
});

it("a first request that finds the connection stuck ends in time", async () => {
  const env = { ...credentials, AWS_ENDPOINT_URL_DYNAMODB: endpointOf(silentServer) };
  const { answer } = await run("tags", env, request(tagsPath));

  expect(answer.status).toBe(503);
  expect(answer.ms).toBeLessThan(1000);
});

it("a connection that the server may have closed meanwhile is not used", async () => {
  const { port } = tlsServer.address() as AddressInfo;
  const agent = new EarlyAgent();
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  agent.open("localhost", port);
  now.mockReturnValue(6000);
  const socket = agent.createConnection({ host: "localhost", port, rejectUnauthorized: false });
  now.mockRestore();

  await once(socket as never, "secureConnect");
  agent.destroy();
});
