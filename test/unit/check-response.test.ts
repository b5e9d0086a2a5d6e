/** The fuzzer's check of responses: accepts documented responses, and reports every issue. */
import { describe, expect, it } from "vitest";
import { issuesOfAnswer, issuesOfBytes, issuesOfGateway } from "../fuzz/check-response.ts";
import type { Answer } from "../fuzz/send.ts";
import { keys } from "../fuzz/world.ts";
import { everyAnswer } from "../support/answers.ts";

const tags = { method: "GET", route: "/api/admin/features/{featureName}/tags" };
const id = "39d5462f-9834-4cf6-b858-a1970e2878f5";
const tagsBody = { version: 1, tags: [] };
const head = { ...tags, method: "HEAD" };
const variants = {
  method: "PATCH",
  route: "/api/admin/projects/{projectId}/features/{featureName}/variants",
};
const list = answer(200, { version: 1, variants: [] });
const byName = answer(200, { version: 1, variants: {} });
const preview = answer(200, { version: 1, variants: [], environments: [] });

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { ...everyAnswer, ...headers }, body: JSON.stringify(body) };
}

function error(status: number, name: string, message = "no", headers = {}): Answer {
  return answer(status, { id, name, message }, headers);
}

describe("a function's response", () => {
  const notAllowed = error(405, "MethodNotAllowed", "no", { allow: "GET, PUT" });
  const shapeless = "is not of the shape error";

  it.each([
    ["tags", answer(200, tagsBody), tags],
    ["an error", error(404, "NotFoundError"), tags],
    ["a wrong method", notAllowed, { ...tags, method: "DELETE" }],
    ["a path of no route", error(404, "NotFoundError"), { method: "GET", route: undefined }],
    ["nothing for HEAD", { ...notAllowed, body: "" }, head],
    ["variants", list, variants],
    ["variants by name", byName, { ...variants, isByName: true }],
    ["a preview", preview, { ...variants, isDryRun: true }],
  ])("accepts %s", (_, response, target) => {
    expect(issuesOfAnswer(response, target)).toEqual([]);
  });

  it.each([
    ["an error of the service", error(500, "InternalError"), "the status 500 is not one of"],
    ["a status of another operation", error(412, "PreconditionFailed"), "the status 412 is not one of"],
    ["a cached response", answer(200, tagsBody, { "cache-control": "public" }), "cache-control"],
    ["another type", answer(200, tagsBody, { "content-type": "text/html" }), "content-type is text/html"],
    ["a 401 without a scheme", error(401, "AuthenticationRequired"), "www-authenticate"],
    ["an error without an id", answer(404, { name: "NotFoundError", message: "no" }), shapeless],
    ["an error with another member", answer(404, { id, name: "N", message: "no", stack: "" }), shapeless],
    ["a body of another route", answer(200, { version: 1, variants: [] }), "is not of the shape tags"],
    ["half a body", { ...answer(200, {}), body: '{"version":1,' }, "is not JSON"],
    ["a key", error(400, "ValidationError", keys.admin), "contains burgee-fuzz-key-admin"],
    ["internals of the code", error(400, "ValidationError", "RangeError: x"), "contains RangeError"],
    [
      "an error of the database",
      error(400, "ValidationError", "ThrottlingException: x"),
      "ThrottlingException",
    ],
  ])("reports %s", (_, response, issue) => {
    expect(issuesOfAnswer(response, tags).join()).toContain(issue);
  });

  it.each([
    ["variants by index for by=name", list, { ...variants, isByName: true }],
    ["variants by name for by=index", byName, variants],
    ["variants for a dry run", list, { ...variants, isDryRun: true }],
    ["a preview for a write", preview, variants],
  ])("reports %s", (_, response, target) => {
    expect(issuesOfAnswer(response, target)).toEqual([expect.stringContaining("is not of the shape")]);
  });

  it("reports a body in the response to HEAD", () => {
    expect(issuesOfAnswer(notAllowed, head)).toEqual(["the response has a body"]);
  });
});

describe("a response of the gateway", () => {
  const misshapen = expect.stringContaining("is not of the shape message");

  it.each([
    ["a message", answer(404, { message: "Not Found" }), 404, "GET"],
    ["nothing for HEAD", { status: 431, headers: {}, body: "" }, 431, "HEAD"],
  ])("accepts %s", (_, response, status, method) => {
    expect(issuesOfGateway(response, method, [status])).toEqual([]);
  });

  it.each([
    ["a 500", answer(500, { message: "x" }), "the status 500 is not one of 404"],
    ["a body of another shape", answer(404, { error: "x" }), misshapen],
    ["an empty body", { status: 404, headers: {}, body: "" }, "the body is not JSON: "],
  ])("reports %s", (_, response, issue) => {
    expect(issuesOfGateway(response, "GET", [404])).toEqual([issue]);
  });
});

describe("the bytes of a connection", () => {
  const notFound = "HTTP/1.1 404 Not Found\r\n\r\n{}";
  const refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
  const failure = refusal.replace("400", "500");

  it.each([
    ["accepts no response", "", []],
    ["accepts any number of documented ones", notFound + refusal, []],
    ["reports a 500 in any of them", notFound + failure, ["the status 500 is not documented"]],
    ["reports what is not HTTP", "Segmentation fault", ["the response begins with Segmentation fault"]],
  ])("%s", (_, bytes, issues) => {
    expect(issuesOfBytes(Buffer.from(bytes), Buffer.of())).toEqual(issues);
  });

  it.each([
    ["reports a key", "authorization", [`the response contains ${keys.admin}`]],
    ["accepts a key that was sent as the host, which a refusal repeats", "Host", []],
  ])("%s", (_, name, issues) => {
    const sent = Buffer.from(`GET / HTTP/1.1\r\n${name}: ${keys.admin}\r\n\r\n`);

    expect(issuesOfBytes(Buffer.from(`HTTP/1.1 403 No\r\n\r\n${keys.admin}`), sent)).toEqual(issues);
  });
});
