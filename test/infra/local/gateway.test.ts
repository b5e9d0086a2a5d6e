/** The local gateway does what an API Gateway HTTP API does. */
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2, Context } from "aws-lambda";
import { afterEach, describe, expect, it } from "vitest";
import { createGateway } from "../../../infra/local/gateway.ts";
import type { DeclaredRoute } from "../../../infra/local/routes.ts";

const route: DeclaredRoute = {
  routeKey: "ANY /api/things/{name}",
  method: "*",
  path: "/api/things/{name}",
  function: { name: "things", handler: "things.handler", timeoutMs: 10_000 },
};

type Fake = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyResultV2>;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function open(fake: Fake, options: { timeoutMs?: number; functionMs?: number } = {}): Promise<string> {
  const { timeoutMs = 30_000, functionMs = 10_000 } = options;
  const declared = { ...route, function: { ...route.function, timeoutMs: functionMs } };
  server = createGateway({
    routes: [declared],
    invoke: (_, event, context) => fake(event, context),
    timeoutMs,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The event that a request becomes. */
function eventOf(path: string, init: RequestInit = {}): Promise<APIGatewayProxyEventV2> {
  return eventSent((url) => fetch(url + path, init));
}

async function eventSent(send: (url: string) => Promise<unknown>): Promise<APIGatewayProxyEventV2> {
  let seen: APIGatewayProxyEventV2 | undefined;
  const url = await open(async (event) => {
    seen = event;
    return { statusCode: 200 };
  });
  await send(url);
  if (!seen) throw new Error("no event came");
  return seen;
}

/** Status and body of the response. */
async function ask(fake: Fake, options = {}, path = "/api/things/a"): Promise<[number, unknown]> {
  const response = await fetch((await open(fake, options)) + path);
  return [response.status, await response.json()];
}

describe("the event (payload format 2.0)", () => {
  it("has the route as it is declared, path and query as they were sent, and who asked when", async () => {
    const event = await eventOf("/api/things/a?x=1&y=%20&x=2", { method: "PUT" });

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
  });

  it("has a fresh request id each time", async () => {
    const first = await eventOf("/api/things/a");
    const second = await eventOf("/api/things/a");

    expect(first.requestContext.requestId).not.toBe(second.requestContext.requestId);
  });

  it.each([
    ["/api/things/a%20b", "a b"],
    ["/api/things/100%25", "100%"],
    ["/api/things/a%2Fb", "a/b"],
    ["/api/things/%E2%9C%93", "✓"],
    ["/api/things/a+b", "a+b"],
  ])("has the parameters of %s decoded", async (path, name) => {
    expect((await eventOf(path)).pathParameters).toEqual({ name });
  });

  it("leaves a malformed percent-encoding to the function: it has the path, and no parameters", async () => {
    const event = await eventOf("/api/things/%zz");

    expect(event.rawPath).toBe("/api/things/%zz");
    expect(event.pathParameters).toBeUndefined();
  });

  it("has header names in lower case, repeated ones joined by commas, and cookies apart", async () => {
    const head = "GET /api/things/a HTTP/1.1\r\nHost: localhost\r\nX-Two: 1\r\nx-two: 2\r\nCookie: a=1; b=2";

    const seen = await eventSent((url) => raw(url, `${head}\r\nConnection: close\r\n\r\n`));

    expect(seen.headers).toMatchObject({ host: "localhost", "x-two": "1,2" });
    expect(seen.headers).not.toHaveProperty("cookie");
    expect(seen.cookies).toEqual(["a=1", "b=2"]);
  });

  it.each([
    ["application/json", "ä", "ä"],
    ["application/json; charset=utf-8", "ä", "ä"],
    ["text/plain", "ä", "ä"],
    ["application/xml", "ä", "ä"],
    ["application/javascript", "ä", "ä"],
    ["application/json-patch+json", "[]", "W10="],
    ["application/octet-stream", "[]", "W10="],
    ["application/jsonx", "[]", "W10="],
    // No UTF-8: in base64, so that the function can see what was sent.
    ["application/json", Uint8Array.of(0x22, 0xff, 0x22), "Iv8i"],
  ])("has a body of type %s: %s is %s", async (type, body, received) => {
    const event = await eventOf("/api/things/a", { method: "PUT", body, headers: { "content-type": type } });

    expect(event).toMatchObject({ body: received, isBase64Encoded: received !== "ä" });
  });
});

describe("the answer", () => {
  it("is what the function said, with the request's id", async () => {
    const url = await open(async () => ({
      statusCode: 418,
      headers: { "x-a": "1" },
      body: "tea",
      cookies: ["c=1"],
    }));

    const answer = await fetch(`${url}/api/things/a`);

    expect(answer.status).toBe(418);
    expect(await answer.text()).toBe("tea");
    expect(answer.headers.get("x-a")).toBe("1");
    expect(answer.headers.getSetCookie()).toEqual(["c=1"]);
    expect(answer.headers.get("apigw-requestid")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is decoded where the function encoded it", async () => {
    const url = await open(async () => ({ statusCode: 200, body: "w6Q=", isBase64Encoded: true }));

    expect(await (await fetch(`${url}/api/things/a`)).text()).toBe("ä");
  });

  it("is a 200 of JSON where the function returned something without a status", async () => {
    const anything = { anything: 1 };

    expect(await ask(async () => anything as APIGatewayProxyResultV2)).toEqual([200, anything]);
  });

  it.each(["/", "/api/things", "/api/things/", "/api/things/a/b", "/API/things/a"])(
    "is 404 for %s, which no route is for",
    async (path) => {
      expect(await ask(async () => ({ statusCode: 200 }), {}, path)).toEqual([404, { message: "Not Found" }]);
    },
  );

  const never = () => new Promise<never>(() => {});

  it.each<[number, string, string, Fake, object]>([
    [500, "Internal Server Error", "the function throws", () => Promise.reject(new Error("inside")), {}],
    [503, "Service Unavailable", "the gateway's own time is up", never, { timeoutMs: 50 }],
    [500, "Internal Server Error", "the function's time is up", never, { functionMs: 50 }],
  ])("is %i %s when %s", async (status, message, _, fake, options) => {
    expect(await ask(fake, options)).toEqual([status, { message }]);
  });

  it("is 413 for more than 10 MB", async () => {
    const url = await open(async () => ({ statusCode: 200 }));
    const most = 10 * 1024 * 1024;

    const fits = await fetch(`${url}/api/things/a`, { method: "PUT", body: new Uint8Array(most) });
    const beyond = await fetch(`${url}/api/things/a`, { method: "PUT", body: new Uint8Array(most + 1) });

    expect([fits.status, beyond.status]).toEqual([200, 413]);
    expect(await beyond.json()).toEqual({ message: "Request Entity Too Large" });
  });

  it("is 431 for more than 10,240 bytes of headers", async () => {
    const url = await open(async () => ({ statusCode: 200 }));

    const answer = await fetch(`${url}/api/things/a`, { headers: { "x-long": "x".repeat(10_240) } });

    expect(answer.status).toBe(431);
  });

  it.each(["HEAD", "OPTIONS"])("to %s is the function's, as the route takes any method", async (method) => {
    const url = await open(async ({ requestContext }) => ({
      statusCode: 405,
      body: requestContext.http.method,
    }));

    const answer = await fetch(`${url}/api/things/a`, { method });

    expect(answer.status).toBe(405);
    expect(await answer.text()).toBe(method === "HEAD" ? "" : "OPTIONS");
  });
});

describe("the gateway", () => {
  it("passes the remaining time to the function", async () => {
    const left: number[] = [];
    const url = await open(async (_, { getRemainingTimeInMillis }) => {
      left.push(getRemainingTimeInMillis());
      await new Promise((resolve) => setTimeout(resolve, 30));
      left.push(getRemainingTimeInMillis());
      return { statusCode: 200 };
    });

    await fetch(`${url}/api/things/a`);

    const [first = 0, second = 0] = left;
    expect(first).toBeLessThanOrEqual(10_000);
    expect(first - second).toBeGreaterThanOrEqual(25);
  });

  it("has requests run side by side", async () => {
    const waiting: (() => void)[] = [];
    const url = await open(async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 8) for (const go of waiting) go();
      });
      return { statusCode: 200 };
    });

    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(`${url}/api/things/a`)));

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("is not hurt by clients that hang up, before the end of their request or of the answer", async () => {
    let finish = () => {};
    const url = await open(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { statusCode: 200, body: "late" };
    });
    const head = "PUT /api/things/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf";
    await hangUp(url, head);
    await hangUp(url, "GET /api/things/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    finish();

    const answer = fetch(`${url}/api/things/a`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();

    expect(await (await answer).text()).toBe("late");
  });
});

async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(text);
  return Buffer.concat(await socket.toArray()).toString();
}

async function hangUp(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(text);
  await new Promise((resolve) => setTimeout(resolve, 30));
  socket.destroy();
}
