/** Pages of other origins and of rebound names, in a real browser, cannot reach the local server or its engine. */
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../support/listening.ts";
import { type LocalServer, startServer } from "../support/server.ts";
import { openChromium } from "./chromium.ts";

const variants = "/api/admin/projects/default/features/checkout/variants";
const key = "burgee-demo-key-for-this-machine";

let browser: Browser;
let server: LocalServer;
let attackerPort: number;
const attacker = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<p>A page"),
);

beforeAll(async () => {
  server = await startServer();
  attackerPort = await listen(attacker);
  // After DNS rebinding, the attacker's name has the address of this machine.
  browser = await openChromium("--host-resolver-rules=MAP *.evil.test 127.0.0.1");
});
afterAll(async () => {
  await browser?.close();
  attacker.close();
  await server?.kill();
});

/** What a page at this address gets from gateway and engine: statuses, "opaque" or "blocked". */
async function attack(url: string, gateway: string, engine: string): Promise<Record<string, string>> {
  const body = '[{"op":"replace","path":"","value":[]}]';
  const headers = { authorization: key, "content-type": "application/json" };
  // Sent without a preflight.
  const simple = { method: "POST", mode: "no-cors", body } as const;
  const calls: Record<string, [url: string, init: RequestInit]> = {
    scan: [engine, { method: "POST", headers: scan, body: '{"TableName":"burgee"}' }],
    simpleCall: [engine, simple],
    page: [gateway, {}],
    patch: [gateway + variants, { method: "PATCH", headers, body }],
    simplePatch: [gateway + variants, simple],
  };
  const page = await browser.newPage();
  try {
    await page.goto(url);
    const outcomes = Object.entries(calls).map(async ([name, call]) => [
      name,
      await page.evaluate(send, call),
    ]);
    return Object.fromEntries(await Promise.all(outcomes));
  } finally {
    await page.close();
  }
}

const scan = {
  "content-type": "application/x-amz-json-1.0",
  "x-amz-target": "DynamoDB_20120810.Scan",
  "x-amz-date": "20260101T000000Z",
  authorization: "AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=d",
};

/** Runs in the page. */
async function send([url, init]: [string, RequestInit]): Promise<string> {
  const response = await fetch(url, init).catch(() => undefined);
  if (!response) return "blocked";
  return response.type === "opaque" ? response.type : String(response.status);
}

const gatewayAt = (host: string) => `http://${host}:${new URL(server.url).port}`;
const engineAt = (host: string) => `http://${host}:${new URL(server.engine).port}`;

async function expectUntouched(): Promise<void> {
  const answer = await fetch(`${server.url}${variants}`, { headers: { authorization: key } });
  expect(await answer.json()).toMatchObject({ variants: [{ name: "blue" }, { name: "green" }] });
}

it.each([
  ["with the name of this machine, at another port", (port: number) => `http://localhost:${port}`],
  ["with another name", (port: number) => `http://www.evil.test:${port}`],
  ["that has no origin of its own", () => "data:text/html,<p>A page"],
])("a page %s gets nothing and changes nothing", async (_, urlOf) => {
  for (const name of ["localhost", "127.0.0.1"]) {
    const outcomes = await attack(urlOf(attackerPort), gatewayAt(name), engineAt(name));

    const { simpleCall, simplePatch, ...others } = outcomes;
    expect(new Set(Object.values(others))).toEqual(new Set(["blocked"]));
    // It is sent, and refused; the page cannot read the answer.
    for (const outcome of [simpleCall, simplePatch]) expect(["opaque", "blocked"]).toContain(outcome);
  }
  await expectUntouched();
});

it("a page whose name was rebound to this machine gets 403, for the page with the demo key and for each call", async () => {
  const [gateway, engine] = [gatewayAt("www.evil.test"), engineAt("www.evil.test")];

  const ofGateway = await attack(`${gateway}/`, gateway, engineAt("127.0.0.1"));
  const ofEngine = await attack(engine, gatewayAt("127.0.0.1"), engine);

  expect(ofGateway).toMatchObject({ page: "403", patch: "403", simplePatch: "403" });
  expect(ofEngine).toMatchObject({ scan: "403", simpleCall: "403" });
  await expectUntouched();
});
