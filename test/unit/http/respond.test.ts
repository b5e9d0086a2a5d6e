import { describe, expect, it } from "vitest";
import { errorSchema } from "../../../lib/contract/error-body.ts";
import { InternalError, MethodNotAllowed, ValidationError } from "../../../lib/contract/errors.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { respond, respondWithError, toApiError } from "../../../lib/http/handler.ts";

const id = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
const always = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

describe("an answer", () => {
  it("is JSON that no cache keeps", () => {
    expect(respond({ status: 200, body: { version: 1, tags: [] } })).toEqual({
      statusCode: 200,
      headers: always,
      body: '{"version":1,"tags":[]}',
    });
  });

  it("has its own headers as well", () => {
    expect(respond({ status: 201, headers: { location: "/x" }, body: {} }).headers).toEqual({
      ...always,
      location: "/x",
    });
  });
});

describe("the answer to an error", () => {
  it("has its status and headers, and a body of id, name and message", () => {
    const error = new MethodNotAllowed("why", { headers: { allow: "PUT" } });

    const { statusCode, headers, body = "" } = respondWithError(error, id);

    expect(statusCode).toBe(405);
    expect(headers).toEqual({ ...always, allow: "PUT" });
    expect(JSON.parse(body)).toEqual({ id, name: "MethodNotAllowed", message: "why" });
  });

  it("has details where there are any, and conforms to the contract", () => {
    const details = [
      { path: "/0", message: "is required" },
      { environment: "e", outcome: "not attempted" as const },
    ];

    const { body = "" } = respondWithError(new ValidationError("why", { details }), id);

    expect(JSON.parse(body)).toEqual({ id, name: "ValidationError", message: "why", details });
    expect(validate(errorSchema, JSON.parse(body)).issues).toBeUndefined();
  });

  it("tells nothing of what caused it", () => {
    const { body = "" } = respondWithError(new ValidationError("why", { cause: new Error("inside") }), id);

    expect(body).not.toContain("inside");
  });
});

describe("whatever is thrown", () => {
  it("is passed on where it is one of our errors", () => {
    const error = new ValidationError("why");

    expect(toApiError(error)).toBe(error);
  });

  it.each([new TypeError("inside"), "inside", undefined, null, { status: 400, name: "ValidationError" }])(
    "is an InternalError that tells nothing of it where it is not: %j",
    (thrown) => {
      const error = toApiError(thrown);

      expect(error).toBeInstanceOf(InternalError);
      expect(error.message).toBe("Internal error");
      expect(error.cause).toBe(thrown);
    },
  );
});
