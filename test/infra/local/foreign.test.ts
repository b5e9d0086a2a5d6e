/** Which hosts and origins the server and its engine accept, by raw requests; test/browser tries a browser. */
import { expect, it } from "vitest";
import { sendRaw as send, useServer } from "../../support/server.ts";

const { url, engine } = await useServer("--allow-host", "burgee.test", "--allow-host", "pages.test:8080");
const { port } = new URL(url);

type Headers = Record<string, string>;

const path = "/api/admin/features/checkout/tags";
const authorization = "burgee-demo-key-for-this-machine";
const put = (headers: Headers, to = url) =>
  send(to, {
    method: "PUT",
    path,
    body: '{"addedTags":[{"type":"simple","value":"foreign"}],"removedTags":[]}',
    headers: { authorization, "content-type": "application/json", ...headers },
  });

const callEngine = (call: string, headers: Headers, body = '{"TableName":"burgee"}') =>
  send(engine, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${call}`,
      "x-amz-date": "20260101T000000Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=d",
      ...headers,
    },
  });

const preflight = (to: string, path: string, origin: string, method: string) =>
  send(to, { method: "OPTIONS", path, headers: { origin, "access-control-request-method": method } });

const statusesOf = async (...answers: ReturnType<typeof send>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

/** Expects a refusal with this message, and without headers that would let a page read it. */
async function expectRefused(message: unknown, ...answers: ReturnType<typeof send>[]): Promise<void> {
  for (const { status, headers, text } of await Promise.all(answers)) {
    expect(status).toBe(403);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(text)).toEqual({ message });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
}

it.each([
  ...["localhost", "LOCALHOST.:8000", "app.localhost", "127.1.2.3", "192.168.1.5:8000", "[::1]"],
  ...["burgee.test", "burgee.test:8443", "pages.test"],
])("the host %s is accepted: it is an address, of this machine, or allowed", async (host) => {
  expect(await statusesOf(put({ host }), callEngine("DescribeTable", { host }))).toEqual([201, 200]);
});

it.each([
  ...["evil.test", "localhost.evil.test", "evillocalhost", "127.0.0.1.evil.test"],
  ...["evil.test@localhost", "localhost/evil.test", "-", "localhost:1:2"],
])("the host %s is refused, for calls, pages and the engine", async (host) => {
  const named = expect.stringContaining(JSON.stringify(host));
  const page = send(url, { headers: { host } });

  await expectRefused(named, put({ host }), page, callEngine("Scan", { host }));
});

it("a host that is refused is named with the option that allows it", async () => {
  await expectRefused(
    'This server does not accept requests for the host "evil.test:3000"; npm start -- --allow-host evil.test allows them.',
    send(url, { headers: { host: "evil.test:3000" } }),
  );
});

const own = `localhost:${port}`;

it.each<[string, number, Headers]>([
  ["the gateway's own, in scheme, host and port", 201, { host: own, origin: `http://${own}` }],
  ["allowed, by HTTP", 201, { origin: "http://burgee.test" }],
  ["allowed, by HTTPS", 201, { origin: "https://burgee.test" }],
  ["allowed, with its port", 201, { origin: "http://pages.test:8080" }],
  ["of the server's host, but another's port", 403, { host: "localhost:1", origin: `http://${own}` }],
])("the response to a page whose origin is %s is %i", async (_, status, headers) => {
  expect((await put(headers)).status).toBe(status);
});

const foreign = [
  ...["http://evil.test", "http://localhost:8080", "http://localhost", "http://127.0.0.1", "null"],
  ...["file://", "http://pages.test", "http://burgee.test:8080", "http://app.localhost:8080"],
  ...["chrome-extension://abc"],
];

it.each(foreign)("the origin %s is refused by the gateway, a preflight too", async (origin) => {
  const named = expect.stringContaining(JSON.stringify(origin));
  const page = send(url, { headers: { origin } });

  await expectRefused(named, put({ origin }), page, preflight(url, path, origin, "PUT"));
});

it.each([...foreign, "http://burgee.test"])("%s is refused by the engine, like its own", async (origin) => {
  await expectRefused(
    "The DynamoDB engine does not accept requests from web pages.",
    callEngine("Scan", { origin }),
    callEngine("DeleteTable", { origin }),
    callEngine("Scan", { origin: engine }),
    preflight(engine, "/", origin, "POST"),
  );
  expect((await put({})).status).toBe(201);
});

it.each(["null", "", "5", "[null]", '{"TableName":"burgee","Key":{"pk":null}}'])(
  "the engine responds to the body %j, and goes on",
  async (body) => {
    const statuses = await statusesOf(callEngine("GetItem", {}, body), callEngine("PutItem", {}, body));

    expect(Math.max(...statuses.map(Number))).toBeLessThan(500);
    expect((await put({})).status).toBe(201);
  },
);
