/** The page that previews a patch: applying it, alone and under concurrency, here and at another Burgee. */
import { execFile } from "node:child_process";
import { createServer, request as sendRequest } from "node:http";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { listen } from "../support/listening.ts";
import { startServer } from "../support/server.ts";
import {
  byName,
  expectAccessible,
  expectEnabled,
  expectNotices,
  expectSummary,
  key,
  patchElsewhere,
  patchText,
  press,
  show,
  state,
  stored,
  usePage,
  variant,
  write,
} from "./patch-page.ts";

const opened = usePage("writes");
const sticky = [{ op: "replace", path: "/0/stickiness", value: "userId" }];

it("sends the ETag of the preview and an idempotency key, and shows what is stored then", async () => {
  const { page, requests } = opened;
  await page.getByLabel("Variants by").selectOption("name");
  await write(page, byName);

  await press(page, "Apply");

  await expectNotices(page, /^Applied, as previewed.$/);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("ARTICLE");
  const writes = requests.filter((request) => request.method() === "PATCH" && !/dryRun/.test(request.url()));
  expect(writes.map((request) => request.headers())).toEqual([
    expect.objectContaining({
      "if-match": expect.stringMatching(/^"[\w-]+"$/),
      "idempotency-key": expect.stringMatching(/^page-\w+$/),
    }),
  ]);
  expect(await patchText(page)).toEqual([]);
  await expectSummary(page, "As it is stored");
  expect(await variant(page, "production", 2).innerText()).toMatch(/red\s+fix\s+50/);
});

it("copies the variants of one environment onto another, and onto no third", async () => {
  const { page, server } = opened;
  await expectSummary(page, "As it is stored");

  await page.locator("#scopes").selectOption("production");
  await page.getByLabel("Copy from").selectOption("development");
  await press(page, "Copy");
  await expectSummary(page, "The patch would change production.");
  await press(page, "Apply");

  await expectNotices(page, "Applied, as previewed.");
  expect(await stored(server, "production")).toEqual(await stored(server, "development"));
  expect(await stored(server, "staging")).toMatchObject([{ weight: 334 }, {}, {}]);
});

it("shows the curl command that does what Apply would", async () => {
  const { page, server } = opened;
  await write(page, byName);
  await page.getByLabel("Variants by").selectOption("name");
  await expectSummary(page, "would change");

  await page.getByText("What do I send by curl?").click();
  const command = await page.locator("details pre").innerText();

  expect(command).not.toContain(key);
  expect(command).toMatch(/if-match: .*idempotency-key: /s);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await press(page, "Copy the command");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(command);
  const env = { ...process.env, BURGEE_KEY: key };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
  expect(JSON.parse(stdout)).toMatchObject({ variants: { red: { weight: 50 } } });
  expect(await stored(server, "production")).toMatchObject([{ weight: 950 }, { weight: 50 }]);
});

it("after a conflict says what an index means now, and waits until the change was seen", async () => {
  const { page, server } = opened;
  await write(page, sticky);
  await expectSummary(page, "would change");
  const aardvark = { name: "aardvark", weight: 0 };
  await patchElsewhere(server, "staging", [{ op: "add", path: "/-", value: aardvark }]);

  await press(page, "Apply");

  await expectNotices(
    page,
    /^Nothing was applied\s+Another request has changed the variants since this preview.\s+Changed since the preview\s+staging: \/0 was blue and is now aardvark.*aardvark\s+added/s,
  );
  expect(await page.getByText(/ETag|If-Match/).count()).toBe(0);
  expect(await patchText(page)).toEqual(sticky);
  expect(await stored(server, "development")).toMatchObject([{ stickiness: "default" }, {}, {}]);
  await expectEnabled(page, "Apply", false);
  expect(await page.locator("#plan").innerText()).toContain("Look first at what has changed.");
  await expectAccessible(page);

  await write(page, [...sticky, ...sticky]);
  await expectSummary(page, "would change");
  await expectEnabled(page, "Apply", false);
  await press(page, "I have seen it");
  await expectEnabled(page, "Apply", true);
  await press(page, "Apply");
  await expectNotices(page, /^Applied, as previewed.$/);
});

describe("another Burgee", () => {
  /** A gateway in front of the server, which adds the headers of CORS as API Gateway does, or none. */
  async function gatewayTo(
    target: URL,
    allowedOrigin?: string,
    exposed = "etag,burgee-change,burgee-environments",
  ) {
    const gateway = createServer((incoming, outgoing) => {
      if (allowedOrigin) {
        outgoing.setHeader("access-control-allow-origin", allowedOrigin);
        outgoing.setHeader("access-control-allow-methods", "PATCH");
        const allowed = "authorization,content-type,if-match,idempotency-key";
        outgoing.setHeader("access-control-allow-headers", allowed);
        outgoing.setHeader("access-control-expose-headers", exposed);
      }
      const { origin: _, ...headers } = incoming.headers;
      const { method = "", url = "" } = incoming;
      const { hostname: host, port } = target;
      const forwarded = sendRequest({ host, port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      // The page gives up a preview that is out of date.
      forwarded.on("error", () => outgoing.destroy());
      return incoming.pipe(forwarded);
    });
    const address = `http://127.0.0.1:${await listen(gateway)}`;
    return { address, [Symbol.dispose]: () => void gateway.close() };
  }

  it("is served where its CORS allows it", async () => {
    const { page, server } = opened;
    const other = await startServer("--state", state);
    using gateway = await gatewayTo(new URL(other.url), server.url);
    try {
      await show(page, { address: gateway.address });
      await write(page, sticky);
      await expectSummary(page, "would change");
      await press(page, "Apply");

      await expectNotices(page, "Applied, as previewed.");
      expect(await stored(other, "production")).toMatchObject([{ stickiness: "userId" }, {}]);
      expect(await stored(server, "production")).toMatchObject([{ stickiness: "default" }, {}]);
    } finally {
      await other.kill();
    }
  });

  it.each([
    { cors: "does not expose the ETag", origin: true, exposed: "location", summary: /must expose ETag/ },
    { cors: "does not allow the page", origin: false, exposed: "", summary: /^No response from .*CORS/ },
  ])("is refused where its CORS $cors, as nothing could be applied safely", async (given) => {
    const { page, server } = opened;
    using gateway = await gatewayTo(
      new URL(server.url),
      given.origin ? server.url : undefined,
      given.exposed,
    );

    await show(page, { address: gateway.address });
    await write(page, sticky);

    await expectSummary(page, given.summary);
    await expectEnabled(page, "Apply", false);
  });
});
