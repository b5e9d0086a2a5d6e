import { describe, expect, it } from "vitest";
import { errorSchema } from "../../../lib/contract/error-body.ts";
import { InternalError, MethodNotAllowed, ValidationError } from "../../../lib/contract/errors.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { respond, respondWithError, toApiError } from "../../../lib/http/handler.ts";
import { everyAnswer } from "../../support/answers.ts";

const id = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";

it("a response is JSON that no cache keeps, with headers of its own", () => {
  const body = { version: 1, tags: [] };
  const headers = { location: "/x" };

  const sent = { statusCode: 200, headers: everyAnswer, body: '{"version":1,"tags":[]}' };
  expect(respond({ status: 200, body })).toEqual(sent);
  expect(respond({ status: 201, headers, body }).headers).toEqual({ ...everyAnswer, ...headers });
});

describe("the response to an error", () => {
  it("has its status and headers, and a body of id, name and message", () => {
    const error = new MethodNotAllowed("why", { headers: { allow: "PUT" } });

    const { body = "", ...response } = respondWithError(error, id);

    expect(response).toEqual({ statusCode: 405, headers: { ...everyAnswer, allow: "PUT" } });
    expect(JSON.parse(body)).toEqual({ id, name: "MethodNotAllowed", message: "why" });
  });

  it("has details where there are any, conforms to the contract, and does not reveal the cause", () => {
    const details = [
      { path: "/0", message: "is required" },
      { environment: "e", outcome: "not attempted" as const },
    ];
    const error = new ValidationError("why", { details, cause: new Error("inside") });

    const body = JSON.parse(respondWithError(error, id).body ?? "");

    expect(body).toEqual({ id, name: "ValidationError", message: "why", details });
    expect(validate(errorSchema, body).issues).toBeUndefined();
  });
});

describe("what is thrown", () => {
  it("is passed on where it is an error of the API", () => {
    const error = new ValidationError("why");

    expect(toApiError(error)).toBe(error);
  });

  it.each([new TypeError("inside"), "inside", undefined, null, { status: 400, name: "ValidationError" }])(
    "is an InternalError that does not reveal it where it is not: %j",
    (thrown) => {
      const error = toApiError(thrown);

      expect(error).toBeInstanceOf(InternalError);
      expect(error).toMatchObject({ message: "Internal error", cause: thrown });
    },
  );
});
