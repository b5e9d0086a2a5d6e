/** Pages of other origins and of rebound names, in a real browser, cannot reach the local server or its engine. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, startServer } from "../support/server.ts";
import { openChromium } from "./chromium.ts";

const variants = "/api/admin/projects/default/features/checkout/variants";
const key = "burgee-demo-key-for-this-machine";

/** What a page got: a status, "opaque" or "blocked". */
type Outcomes = Record<string, string>;

let browser: Browser;
let server: LocalServer;
let attacker: Server;
let attackerPort: number;

beforeAll(async () => {
  server = await startServer();
  attacker = createServer((_, response) => response.setHeader("content-type", "text/html").end("<p>A page"));
  attacker.listen(0, "127.0.0.1");
  await once(attacker, "listening");
  attackerPort = (attacker.address() as AddressInfo).port;
  // After DNS rebinding, the attacker's name has the address of this machine.
  browser = await openChromium("--host-resolver-rules=MAP *.evil.test 127.0.0.1");
});
afterAll(async () => {
  await browser?.close();
  attacker?.close();
  await server?.kill();
});

/** Opens the page, and calls gateway and engine from it by these addresses. */
async function attack(url: string, gateway: string, engine: string): Promise<Outcomes> {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    return await page.evaluate(callAll, { gateway, engine, variants, key });
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
async function callAll(to: { gateway: string; engine: string; variants: string; key: string }) {
  const outcome = async (url: string, init: RequestInit) => {
    try {
      const { status, type } = await fetch(url, init);
      return type === "opaque" ? type : String(status);
    } catch {
      return "blocked";
    }
  };
  const authorization =
    "AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=host, Signature=d";
  const call = (name: string, body: unknown) => ({
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${name}`,
      "x-amz-date": "20260101T000000Z",
      authorization,
    },
    body: JSON.stringify(body),
  });
  const patch = JSON.stringify([{ op: "replace", path: "", value: [] }]);
  const headers = { authorization: to.key, "content-type": "application/json" };
  const apiKey = { pk: { S: "KEY#0" }, sk: { S: "KEY" }, name: { S: "attacker" } };
  return {
    scan: await outcome(to.engine, call("Scan", { TableName: "burgee" })),
    putItem: await outcome(to.engine, call("PutItem", { TableName: "burgee", Item: apiKey })),
    deleteTable: await outcome(to.engine, call("DeleteTable", { TableName: "burgee" })),
    simplePost: await outcome(to.engine, { method: "POST", mode: "no-cors", body: "{}" }),
    page: await outcome(to.gateway, {}),
    read: await outcome(to.gateway + to.variants, { headers }),
    patch: await outcome(to.gateway + to.variants, { method: "PATCH", headers, body: patch }),
    simplePatch: await outcome(to.gateway + to.variants, { method: "POST", mode: "no-cors", body: patch }),
  };
}

const gatewayAt = (host: string) => `http://${host}:${new URL(server.url).port}`;
const engineAt = (host: string) => `http://${host}:${new URL(server.engine).port}`;

async function expectUntouched(): Promise<void> {
  const answer = await fetch(`${server.url}${variants}`, { headers: { authorization: key } });
  expect(await answer.json()).toMatchObject({ variants: [{ name: "blue" }, { name: "green" }] });
}

it("the page of the server itself may read and patch", async () => {
  const own = await startServer();
  try {
    const outcomes = await attack(own.url, own.url, own.engine);

    expect(outcomes).toMatchObject({ page: "200", read: "200", patch: "200", scan: "blocked" });
  } finally {
    await own.kill();
  }
});

describe("a page of another origin", () => {
  it.each([
    ["with the name of this machine, at another port", "localhost"],
    ["with the address of this machine, at another port", "127.0.0.1"],
    ["with another name", "www.evil.test"],
  ])("%s gets nothing and changes nothing", async (_, host) => {
    const page = `http://${host}:${attackerPort}`;
    for (const name of ["localhost", "127.0.0.1"]) {
      const outcomes = await attack(page, gatewayAt(name), engineAt(name));

      const { simplePost, simplePatch, ...others } = outcomes;
      expect(new Set(Object.values(others))).toEqual(new Set(["blocked"]));
      // A request without preflight is sent, and refused; the page cannot read the answer.
      for (const outcome of [simplePost, simplePatch]) expect(["opaque", "blocked"]).toContain(outcome);
    }
    await expectUntouched();
  });

  it("without an origin of its own (sandboxed) gets nothing and changes nothing", async () => {
    const outcomes = await attack("data:text/html,<p>A page", gatewayAt("127.0.0.1"), engineAt("127.0.0.1"));

    expect(outcomes).toMatchObject({
      scan: "blocked",
      deleteTable: "blocked",
      read: "blocked",
      patch: "blocked",
    });
    await expectUntouched();
  });
});

describe("a page whose name was rebound to this machine", () => {
  it("gets 403 of the gateway, for the page with the demo key and for each call", async () => {
    const rebound = gatewayAt("www.evil.test");

    const outcomes = await attack(`${rebound}/`, rebound, engineAt("127.0.0.1"));

    expect(outcomes).toMatchObject({ page: "403", read: "403", patch: "403", simplePatch: "403" });
    await expectUntouched();
  });

  it("gets 403 of the engine", async () => {
    const rebound = engineAt("www.evil.test");

    const outcomes = await attack(`${rebound}/`, gatewayAt("127.0.0.1"), rebound);

    expect(outcomes).toMatchObject({ scan: "403", putItem: "403", deleteTable: "403", simplePost: "403" });
    await expectUntouched();
  });
});
