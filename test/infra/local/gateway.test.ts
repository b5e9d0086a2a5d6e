/** The local gateway does what an API Gateway HTTP API does. */
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { expect, it, onTestFinished, vi } from "vitest";
import { createGateway, type Invoke } from "../../../infra/local/gateway.ts";
import { listen } from "../../support/listening.ts";
import { sendRaw } from "../../support/server.ts";

type Fake = (event: APIGatewayProxyEventV2) => Promise<unknown>;

/** The address of a path of its only route. */
async function open(fake: Fake, { functionMs = 10_000 } = {}): Promise<string> {
  const path = "/api/things/{name}";
  const declared = { name: "things", handler: "things.handler", timeoutMs: functionMs };
  const server = createGateway({
    routes: [{ routeKey: `ANY ${path}`, method: "*", path, function: declared }],
    invoke: (_, event) => fake(event as APIGatewayProxyEventV2) as ReturnType<Invoke>,
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listen(server)}/api/things/a`;
}

const done: Fake = async () => ({ statusCode: 200 });
const echo: Fake = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });

type Request = RequestInit & { path?: string; functionMs?: number };

async function ask(fake: Fake, { path = "", functionMs, ...init }: Request = {}) {
  return fetch(new URL(path, await open(fake, { functionMs })), init);
}

/** The event that a request becomes. */
async function eventOf(request?: Request): Promise<APIGatewayProxyEventV2> {
  return (await ask(echo, request)).json() as Promise<APIGatewayProxyEventV2>;
}

/** Status and body of the response. */
async function answerOf(...given: Parameters<typeof ask>): Promise<[number, unknown]> {
  const response = await ask(...given);
  return [response.status, await response.json()];
}

it("the event has the route as it is declared, path and query as they were sent, the source address and the time", async () => {
  const event = await eventOf({ path: "?x=1&y=%20&x=2", method: "PUT" });

  expect(event).toMatchObject({
    version: "2.0",
    routeKey: "ANY /api/things/{name}",
    rawPath: "/api/things/a",
    rawQueryString: "x=1&y=%20&x=2",
    queryStringParameters: { x: "1,2", y: " " },
    requestContext: {
      http: { method: "PUT", path: "/api/things/a", protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      stage: "$default",
      time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    },
  });
  expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(60_000);
  expect((await eventOf()).requestContext.requestId).not.toBe(event.requestContext.requestId);
});

it.each([
  ["a%20b", { name: "a b" }],
  ["a%2Fb", { name: "a/b" }],
  ["a+b", { name: "a+b" }],
  // The function refuses it.
  ["%zz", undefined],
])("the event of the path %s has the parameters %j", async (path, parameters) => {
  expect((await eventOf({ path })).pathParameters).toEqual(parameters);
});

it("the event has header names in lower case, repeated ones joined by commas, and cookies apart", async () => {
  const headers = ["Host", "localhost", "X-Two", "1", "x-two", "2", "Cookie", "a=1; b=2"];

  const { text } = await sendRaw(await open(echo), { path: "/api/things/a", headers });

  const event = JSON.parse(text);
  expect(event.headers).toMatchObject({ host: "localhost", "x-two": "1,2" });
  expect(event.headers).not.toHaveProperty("cookie");
  expect(event.cookies).toEqual(["a=1", "b=2"]);
});

it.each([
  ["application/json", "ä", "ä"],
  ["text/plain; charset=utf-8", "ä", "ä"],
  ["application/json-patch+json", "[]", "W10="],
  ["application/jsonx", "[]", "W10="],
  // No UTF-8: in base64, so that the function can see what was sent.
  ["application/json", Uint8Array.of(0x22, 0xff, 0x22), "Iv8i"],
])("the event has a body of type %s: %s is %s", async (type, body, received) => {
  const event = await eventOf({ method: "PUT", body, headers: { "content-type": type } });

  expect(event).toMatchObject({ body: received, isBase64Encoded: received !== "ä" });
});

const throws: Fake = () => Promise.reject(new Error("inside"));
const never = () => new Promise<never>(() => {});
const most = 10 * 1024 * 1024;
const put = (length: number) => ({ method: "PUT", body: new Uint8Array(length) });

it.each<[number, string, string, Fake, Request]>([
  [404, "Not Found", "no route is for /api/things/", done, { path: "/api/things/" }],
  [404, "Not Found", "no route is for /api/things/a/b", done, { path: "/api/things/a/b" }],
  [404, "Not Found", "no route is for /API/things/a", done, { path: "/API/things/a" }],
  [413, "Request Entity Too Large", "the body has more than 10 MB", done, put(most + 1)],
  [500, "Internal Server Error", "the function throws", throws, {}],
  [500, "Internal Server Error", "the function's time is up", never, { functionMs: 50 }],
])("the answer is %i %s when %s", async (status, message, _, fake, request) => {
  expect(await answerOf(fake, request)).toEqual([status, { message }]);
});

it("reports why a function failed", async () => {
  const reported = vi.spyOn(console, "error").mockReturnValue();

  await ask(throws);

  expect(reported.mock.calls).toEqual([[new Error("inside")]]);
  reported.mockRestore();
});

it.each<[number, string, Request]>([
  [431, "more than 10,240 bytes of headers", { headers: { "x-long": "x".repeat(10_240) } }],
  [418, "10 MB, as of the function", put(most)],
  [418, "HEAD, as of the function", { method: "HEAD" }],
  [418, "OPTIONS, as of the function", { method: "OPTIONS" }],
])("the answer is %i for %s", async (status, _, request) => {
  const answer = await ask(async () => ({ statusCode: 418, headers: { "x-a": "1" }, body: "tea" }), request);

  expect(answer.status).toBe(status);
  if (status === 431) return;
  expect(await answer.text()).toBe(request.method === "HEAD" ? "" : "tea");
  expect(answer.headers.get("x-a")).toBe("1");
  expect(answer.headers.get("apigw-requestid")).toMatch(/^[0-9a-f-]{36}$/);
});

it("a response to HEAD has no content-length, which would be that of GET (RFC 9110 section 8.6)", async () => {
  const url = await open(async () => ({ statusCode: 200, headers: { "x-a": "1" } }));

  const { headers } = await sendRaw(url, { method: "HEAD", path: "/api/things/a" });

  expect(headers).toMatchObject({ "x-a": "1" });
  expect(headers).not.toHaveProperty("content-length");
  expect((await sendRaw(url, { path: "/api/things/a" })).headers["content-length"]).toBe("0");
});

it("survives clients that disconnect early, without reporting them", async () => {
  const reported = vi.spyOn(console, "error").mockReturnValue();
  const url = await open(async () => {
    await setTimeout(100);
    return { statusCode: 200, body: "late" };
  });
  const head = "/api/things/a HTTP/1.1\r\nHost: localhost\r\n";
  for (const request of [`PUT ${head}Content-Length: 100\r\n\r\nhalf`, `GET ${head}\r\n`, "hello\r\n\r\n"]) {
    for (const end of ["destroy", "resetAndDestroy"] as const) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
      socket.write(request);
      await setTimeout(30);
      socket[end]();
    }
  }

  expect(await (await fetch(url)).text()).toBe("late");
  expect(reported).not.toHaveBeenCalled();
  reported.mockRestore();
});
