/** The relay of infra/examples/relay: real SDKs, Debian's nginx and the local server. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { times } from "../support/patching.ts";
import { demoKey, secondsUntilSeen, startSdks, startUnleash } from "../support/sdks.ts";
import { type LocalServer, startServerWith } from "../support/server.ts";
import { startOrigin, startRelay } from "./nginx.ts";

const documents = "/api/projects/default/environments/production";
const paths = { unleash: `${documents}/client/features`, flagd: `${documents}/flagd.json` };
let burgee: LocalServer;

beforeAll(async () => {
  burgee = await startServerWith({ DOCUMENT_CACHE_SECONDS: "0", KEY_CACHE_SECONDS: "0" });
});
afterAll(() => burgee.kill());

/** By default the relay keeps documents for a second only, so that tests need not wait. */
async function open(seconds = 1) {
  const origin = await startOrigin(burgee.url);
  const url = await startRelay(origin.url, seconds);
  const load = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { authorization: demoKey, ...headers } });
  return { origin, url, load };
}

it("500 polls of each document are one request of Burgee", async () => {
  const { origin, load } = await open(60);

  const responses = await Promise.all(times(1000, (index) => load(index % 2 ? paths.flagd : paths.unleash)));

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(origin.asked.toSorted()).toEqual([`200 ${paths.unleash}`, `200 ${paths.flagd}`]);
});

it("a document has the ETag and the content of Burgee's; a poll that has it gets 304, and so does the relay", async () => {
  const { origin, load } = await open();
  const direct = await fetch(burgee.url + paths.unleash, { headers: { authorization: demoKey } });

  const packed = await load(paths.unleash);
  const unpacked = await load(paths.unleash, { "accept-encoding": "identity" });
  const known = await load(paths.unleash, { "if-none-match": packed.headers.get("etag") ?? "" });
  await setTimeout(2100);
  const later = await load(paths.unleash);

  expect(packed.headers.get("etag")).toBe(direct.headers.get("etag"));
  expect([packed.headers.get("content-encoding"), unpacked.headers.get("content-encoding")]).toEqual([
    "gzip",
    null,
  ]);
  const texts = await Promise.all([direct, packed, unpacked, later].map((response) => response.text()));
  expect(new Set(texts).size).toBe(1);
  expect([known.status, later.status]).toEqual([304, 200]);
  expect(later.headers.get("burgee-relay")).toBe("REVALIDATED");
  expect(origin.asked).toEqual([`200 ${paths.unleash}`, `304 ${paths.unleash}`]);
});

it("each key is authenticated by Burgee, and its refusal is no one else's", async () => {
  const { origin, load } = await open();
  const wrong = { authorization: "wrong" };

  const statuses = [];
  for (const headers of [{}, wrong, { authorization: "" }, {}, wrong]) {
    statuses.push((await load(paths.unleash, headers)).status);
  }

  expect(statuses).toEqual([200, 401, 401, 200, 401]);
  expect(origin.asked.filter((one) => one.startsWith("401"))).toHaveLength(3);
});

it.each([401, 403])("an expired document is not served after a %i", async (status) => {
  const { origin, load } = await open();
  await load(paths.flagd);
  origin.state = status;
  const fresh = await load(paths.flagd);
  await setTimeout(2100);

  const expired = [(await load(paths.flagd)).status, (await load(paths.flagd)).status];

  expect(fresh.status).toBe(200);
  expect(expired).toEqual([status, status]);
});

it("real SDKs see a change after their poll and the relay's 5 seconds at most", async () => {
  const { url } = await open(4);
  const sdks = await startSdks(url);

  const seconds = await secondsUntilSeen({ ...sdks, url: burgee.url }, "amber");

  console.log(`seconds until both SDKs have seen it: ${seconds.map((one) => one.toFixed(1)).join(", ")}`);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(5 + 1 + 1);
  await expect.poll(() => sdks.statuses.at(-1), { timeout: 5000 }).toBe(304);
});

it.each(["refuses", 500, 503, 429] as const)(
  "while Burgee is away (%s), pods that start get the document",
  async (state) => {
    const { origin, url, load } = await open();
    await load(paths.unleash);
    origin.state = state;
    await setTimeout(2100);

    const response = await load(paths.unleash);
    const client = await startUnleash(url);

    expect([response.status, response.headers.get("burgee-relay")]).toEqual([200, "STALE"]);
    expect(client.isEnabled("checkout", { userId: "u" })).toBe(true);
  },
);

it("takes what SDKs send, and passes nothing on but documents", async () => {
  const { origin, url } = await open();
  const post = (path: string) => fetch(url + path, { method: "POST", body: "{}" });

  const statuses = [
    (await post(`${documents}/client/metrics`)).status,
    (await post(`${documents}/client/register`)).status,
    (await post("/api/admin/projects/default/features/checkout/off")).status,
    (await fetch(`${url}/patch`)).status,
  ];

  expect(statuses).toEqual([202, 202, 404, 404]);
  expect(origin.asked).toEqual([]);
});
