/** Which hosts and origins the server and its engine accept, by raw requests; test/browser tries a browser. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, startServer } from "../../support/server.ts";

const tags = "/api/admin/features/checkout/tags";
const key = "burgee-demo-key-for-this-machine";

let server: LocalServer;
let port: string;
beforeAll(async () => {
  server = await startServer("--allow-host", "burgee.test", "--allow-host", "pages.test:8080");
  ({ port } = new URL(server.url));
});
afterAll(() => server.kill());

interface Sent {
  method?: string;
  path?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** `fetch` sets its own Host. */
async function send(url: string, { method = "GET", path = "/", body = "", headers = {} }: Sent) {
  const sent = request(url, { method, path, headers, agent: false });
  sent.end(body);
  const [answer]: [IncomingMessage] = (await once(sent, "response")) as [IncomingMessage];
  const text = (await answer.toArray()).join("");
  return { status: answer.statusCode, headers: answer.headers, text };
}

const put = (headers: Record<string, string>): Sent => ({
  method: "PUT",
  path: tags,
  body: '{"addedTags":[{"type":"simple","value":"foreign"}],"removedTags":[]}',
  headers: { authorization: key, "content-type": "application/json", ...headers },
});

const toEngine = (call: string, headers: Record<string, string>): Sent => ({
  method: "POST",
  body: '{"TableName":"burgee"}',
  headers: {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${call}`,
    "x-amz-date": "20260101T000000Z",
    authorization: "AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=d",
    ...headers,
  },
});

const ownHosts = ["localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.1.2.3", "[::1]", "app.localhost"];
const foreignHosts = [
  ...["evil.test", "localhost.evil.test", "evillocalhost", "127.0.0.1.evil.test", "192.168.1.5", "0.0.0.0"],
  ...["evil.test@localhost", "localhost/evil.test", "[::2]", "-", "localhost:1:2"],
];

describe("a host", () => {
  it.each(ownHosts)("%s is this machine, at whatever port", async (host) => {
    const answers = await Promise.all([
      send(server.url, put({ host: `${host}:${port}` })),
      send(server.url, put({ host })),
      send(server.engine, toEngine("DescribeTable", { host: `${host}:8000` })),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
  });

  it.each(["burgee.test", "burgee.test:8443", "pages.test"])("%s is one that was allowed", async (host) => {
    expect((await send(server.url, put({ host }))).status).toBe(201);
    expect((await send(server.engine, toEngine("DescribeTable", { host }))).status).toBe(200);
  });

  it.each(foreignHosts)("%s is refused, for calls, pages and the engine", async (host) => {
    const answers = await Promise.all([
      send(server.url, put({ host })),
      send(server.url, { headers: { host } }),
      send(server.engine, toEngine("Scan", { host })),
    ]);

    for (const { status, headers, text } of answers) {
      expect(status).toBe(403);
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.parse(text)).toEqual({ message: expect.stringContaining(JSON.stringify(host)) });
    }
  });

  it("that is refused is named with the option that allows it", async () => {
    const { text } = await send(server.url, { headers: { host: "evil.test:3000" } });

    expect(JSON.parse(text).message).toBe(
      'This server does not accept requests for the host "evil.test:3000"; npm start -- --allow-host evil.test allows them.',
    );
  });
});

describe("an origin", () => {
  it("is the gateway's own if scheme, host and port are its own", async () => {
    const host = `localhost:${port}`;

    expect((await send(server.url, put({ host, origin: `http://${host}` }))).status).toBe(201);
  });

  it.each(["http://burgee.test", "https://burgee.test", "http://pages.test:8080"])(
    "%s is one that was allowed",
    async (origin) => {
      expect((await send(server.url, put({ origin }))).status).toBe(201);
    },
  );

  const foreign = [
    ...[
      "http://evil.test",
      "http://localhost:8080",
      "http://localhost",
      "http://127.0.0.1",
      "null",
      "file://",
    ],
    ...[
      "http://pages.test",
      "http://burgee.test:8080",
      "http://app.localhost:8080",
      "chrome-extension://abc",
    ],
  ];

  it.each(foreign)("%s is refused by the gateway, a preflight too", async (origin) => {
    const preflight = {
      method: "OPTIONS",
      path: tags,
      headers: { origin, "access-control-request-method": "PUT" },
    };
    const answers = await Promise.all([
      send(server.url, put({ origin })),
      send(server.url, preflight),
      send(server.url, { headers: { origin } }),
    ]);

    for (const { status, headers, text } of answers) {
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({ message: expect.stringContaining(JSON.stringify(origin)) });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("that has the host of the server, but the port of another, is refused", async () => {
    const own = `http://localhost:${port}`;

    expect((await send(server.url, put({ host: "localhost:1", origin: own }))).status).toBe(403);
  });

  it.each([...foreign, "http://burgee.test"])(
    "%s is refused by the engine, and so is its own",
    async (origin) => {
      const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } };
      const answers = await Promise.all([
        send(server.engine, toEngine("Scan", { origin })),
        send(server.engine, toEngine("DeleteTable", { origin })),
        send(server.engine, toEngine("Scan", { origin: server.engine })),
        send(server.engine, preflight),
      ]);

      for (const { status, headers, text } of answers) {
        expect(status).toBe(403);
        expect(JSON.parse(text)).toEqual({
          message: "The DynamoDB engine does not accept requests from web pages.",
        });
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
      expect((await send(server.url, put({}))).status).toBe(201);
    },
  );
});

it("--host for all addresses answers to any address, and to no other name", async () => {
  const open = await startServer("--host", "0.0.0.0");
  const statusOf = async (host: string) => (await send(open.url, put({ host }))).status;

  const statuses = await Promise.all(["192.168.1.5", "[2001:db8::1]", "0.0.0.0", "evil.test"].map(statusOf));

  await open.kill();
  expect(statuses).toEqual([201, 201, 201, 403]);
});
