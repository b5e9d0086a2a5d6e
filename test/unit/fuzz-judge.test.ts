/** The fuzzer's judge: what is right passes, and each thing that is wrong is reported. */
import { describe, expect, it } from "vitest";
import { faultsOfAnswer, faultsOfBytes, faultsOfGateway } from "../fuzz/judge.ts";
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

describe("of an answer of a function", () => {
  it.each([
    ["tags", answer(200, { version: 1, tags: [] }), tags],
    ["a refusal", error(404, "NotFoundError"), tags],
    [
      "a wrong method",
      error(405, "MethodNotAllowed", "no", { allow: "GET, PUT" }),
      { ...tags, method: "DELETE" },
    ],
    ["a path of no route", error(404, "NotFoundError"), { method: "GET", route: undefined }],
    ["nothing for HEAD", { ...error(405, "MethodNotAllowed", "no", { allow: "GET" }), body: "" }, head()],
  ])("what is right passes: %s", (_, right, asked) => {
    expect(faultsOfAnswer(right, asked)).toEqual([]);
  });

  it.each([
    ["a fault of the service", error(500, "InternalError"), "500 is not one of"],
    ["a status of another operation", error(412, "PreconditionFailed"), "412 is not one of"],
    ["an answer that may be kept", answer(200, tagsBody(), { "cache-control": "public" }), "cache-control"],
    ["another type", answer(200, tagsBody(), { "content-type": "text/html" }), "its type is text/html"],
    ["a refusal of a key without a scheme", error(401, "AuthenticationRequired"), "www-authenticate"],
    ["an error without an id", answer(404, { name: "NotFoundError", message: "no" }), "it is no error"],
    ["an error that tells more", answer(404, { id, name: "N", message: "no", stack: "" }), "it is no error"],
    ["a body of another route", answer(200, { version: 1, variants: [] }), "it is no tags"],
    ["half a body", { ...answer(200, {}), body: '{"version":1,' }, "it is no JSON"],
    ["a key", error(400, "ValidationError", keys.admin), "it holds burgee-fuzz-key-admin"],
    ["a word of the code", error(400, "ValidationError", "RangeError: x"), "it holds RangeError"],
  ])("reports what is wrong: %s", (_, wrong, told) => {
    expect(faultsOfAnswer(wrong, tags).join()).toContain(told);
  });

  it("reports a body in a response to HEAD", () => {
    expect(faultsOfAnswer(error(405, "MethodNotAllowed", "no", { allow: "GET" }), head())).toEqual([
      "it has a body",
    ]);
  });
});

describe("of an answer of the gateway", () => {
  it("a message passes, and a bare refusal of what is no HTTP", () => {
    expect(faultsOfGateway(answer(404, { message: "Not Found" }), "GET", [404])).toEqual([]);
    expect(faultsOfGateway({ status: 400, headers: {}, body: "" }, "GET", [400])).toEqual([]);
  });

  it("reports its own failure, and another body", () => {
    expect(faultsOfGateway(answer(500, { message: "x" }), "GET", [404])).toEqual(["500 is not one of 404"]);
    expect(faultsOfGateway(answer(404, { error: "x" }), "GET", [404]).join()).toContain("it is no message");
  });
});

describe("of what came back over a connection", () => {
  const refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

  it("nothing passes, and any number of answers of ours", () => {
    expect(faultsOfBytes(Buffer.from(""))).toEqual([]);
    expect(faultsOfBytes(Buffer.from(`HTTP/1.1 404 Not Found\r\n\r\n{}${refusal}`))).toEqual([]);
  });

  it("reports a failure in any of them, and what is no HTTP", () => {
    const second = Buffer.from(`HTTP/1.1 404 Not Found\r\n\r\n{}${refusal.replace("400", "500")}`);
    expect(faultsOfBytes(second)).toEqual(["500 is no status of ours"]);
    expect(faultsOfBytes(Buffer.from("Segmentation fault"))).toEqual(["it begins with Segmentation fault"]);
  });
});

function tagsBody() {
  return { version: 1, tags: [] };
}

function head() {
  return { ...tags, method: "HEAD" };
}
