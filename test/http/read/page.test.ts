/** GET /patch: the page, for anybody, without the table. */
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { open } from "../../../functions/read.ts";
import { type HttpRequest, toContext, toEvent } from "../../support/event.ts";

const handler = open(
  { TABLE_NAME: "no table", AWS_LAMBDA_FUNCTION_NAME: "burgee-prod-read" },
  { folder: "dist" },
);

async function send(request: Partial<HttpRequest> = {}) {
  const event = toEvent({ method: "GET", path: "/patch", headers: {}, body: "", ...request });
  return handler(event, toContext());
}

it("is one document without a key, compressed, which a browser checks again each time", async () => {
  const { statusCode, headers, body = "", isBase64Encoded } = await send();
  const html = gunzipSync(Buffer.from(body, "base64")).toString();

  expect({ statusCode, isBase64Encoded }).toEqual({ statusCode: 200, isBase64Encoded: true });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "gzip",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "strict-transport-security": "max-age=31536000",
  });
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).not.toMatch(/data-key=|(?:src|href)="(?!data:|\/"|#project)/);
  expect(html).toContain('<body data-stage="prod"');
});

it("has a policy that permits its own script and style and calls to its own server, and no more", async () => {
  const { headers } = await send();

  expect(headers?.["content-security-policy"]).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='; img-src data:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

it("is 304 with the ETag that it has, and HEAD has no body", async () => {
  const { headers } = await send();
  const etag = String(headers?.etag);

  expect(await send({ headers: { "if-none-match": etag } })).toMatchObject({ statusCode: 304 });
  expect(await send({ method: "HEAD" })).toEqual({ statusCode: 200, headers });
});

it("refuses other methods, and is nowhere where the function has no folder", async () => {
  expect(await send({ method: "POST" })).toMatchObject({ statusCode: 405, headers: { allow: "GET, HEAD" } });
  const without = open({ TABLE_NAME: "no table" });
  const event = toEvent({ method: "GET", path: "/patch", headers: {}, body: "" });

  expect(await without(event, toContext())).toMatchObject({ statusCode: 404 });
});
