/** The fuzzer's check of responses: accepts documented responses, and reports every issue. */
import { describe, expect, it } from "vitest";
import { issuesOfAnswer, issuesOfBytes, issuesOfGateway } from "../fuzz/check-response.ts";
import type { Answer } from "../fuzz/send.ts";
import { keys } from "../fuzz/world.ts";

const tags = { method: "GET", route: "/api/admin/features/{featureName}/tags" };
const id = "39d5462f-9834-4cf6-b858-a1970e2878f5";
const always = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(body) };
}

function error(status: number, name: string, message = "no", headers = {}): Answer {
  return answer(status, { id, name, message }, headers);
}

describe("a function's response", () => {
  it.each([
    ["tags", answer(200, { version: 1, tags: [] }), tags],
    ["an error", error(404, "NotFoundError"), tags],
    [
      "a wrong method",
      error(405, "MethodNotAllowed", "no", { allow: "GET, PUT" }),
      { ...tags, method: "DELETE" },
    ],
    ["a path of no route", error(404, "NotFoundError"), { method: "GET", route: undefined }],
    ["nothing for HEAD", { ...error(405, "MethodNotAllowed", "no", { allow: "GET" }), body: "" }, head()],
  ])("accepts %s", (_, response, target) => {
    expect(issuesOfAnswer(response, target)).toEqual([]);
  });

  it.each([
    ["an error of the service", error(500, "InternalError"), "the status 500 is not one of"],
    ["a status of another operation", error(412, "PreconditionFailed"), "the status 412 is not one of"],
    [
      "a response that may be cached",
      answer(200, tagsBody(), { "cache-control": "public" }),
      "cache-control",
    ],
    ["another type", answer(200, tagsBody(), { "content-type": "text/html" }), "content-type is text/html"],
    ["a 401 without a scheme", error(401, "AuthenticationRequired"), "www-authenticate"],
    [
      "an error without an id",
      answer(404, { name: "NotFoundError", message: "no" }),
      "is not of the shape error",
    ],
    [
      "an error with another member",
      answer(404, { id, name: "N", message: "no", stack: "" }),
      "is not of the shape error",
    ],
    ["a body of another route", answer(200, { version: 1, variants: [] }), "is not of the shape tags"],
    ["half a body", { ...answer(200, {}), body: '{"version":1,' }, "is not JSON"],
    ["a key", error(400, "ValidationError", keys.admin), "contains burgee-fuzz-key-admin"],
    ["internals of the code", error(400, "ValidationError", "RangeError: x"), "contains RangeError"],
  ])("reports %s", (_, response, issue) => {
    expect(issuesOfAnswer(response, tags).join()).toContain(issue);
  });

  it("reports a body in the response to HEAD", () => {
    expect(issuesOfAnswer(error(405, "MethodNotAllowed", "no", { allow: "GET" }), head())).toEqual([
      "the response has a body",
    ]);
  });
});

describe("a response of the gateway", () => {
  it("accepts a message, and a 400 without a body", () => {
    expect(issuesOfGateway(answer(404, { message: "Not Found" }), "GET", [404])).toEqual([]);
    expect(issuesOfGateway({ status: 400, headers: {}, body: "" }, "GET", [400])).toEqual([]);
  });

  it("reports a 500, and a body of another shape", () => {
    expect(issuesOfGateway(answer(500, { message: "x" }), "GET", [404])).toEqual([
      "the status 500 is not one of 404",
    ]);
    expect(issuesOfGateway(answer(404, { error: "x" }), "GET", [404]).join()).toContain(
      "is not of the shape message",
    );
  });
});

describe("the bytes of a connection", () => {
  const refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

  it("accepts no response, and any number of documented ones", () => {
    expect(issuesOfBytes(Buffer.from(""))).toEqual([]);
    expect(issuesOfBytes(Buffer.from(`HTTP/1.1 404 Not Found\r\n\r\n{}${refusal}`))).toEqual([]);
  });

  it("reports a 500 in any of them, and what is not HTTP", () => {
    const second = Buffer.from(`HTTP/1.1 404 Not Found\r\n\r\n{}${refusal.replace("400", "500")}`);
    expect(issuesOfBytes(second)).toEqual(["the status 500 is not documented"]);
    expect(issuesOfBytes(Buffer.from("Segmentation fault"))).toEqual([
      "the response begins with Segmentation fault",
    ]);
  });
});

function tagsBody() {
  return { version: 1, tags: [] };
}

function head() {
  return { ...tags, method: "HEAD" };
}
