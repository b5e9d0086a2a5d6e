import { describe, expect, it } from "vitest";
import { errorSchema } from "../../../lib/contract/error-body.ts";
import * as errors from "../../../lib/contract/errors.ts";
import { validate } from "../../../lib/contract/validate.ts";
import { issuesAt } from "../../support/answers.ts";

const { ApiError, AuthenticationRequired, ConflictError, TemporarilyUnavailable, ValidationError } = errors;
const cause = new Error("inside");
const details = [{ environment: "production", outcome: "failed" as const }];

describe("the errors of the API", () => {
  it.each([
    [errors.ValidationError, 400],
    [errors.AuthenticationRequired, 401],
    [errors.NoAccessError, 403],
    [errors.NotFoundError, 404],
    [errors.MethodNotAllowed, 405],
    [errors.ConflictError, 409],
    [errors.PreconditionFailed, 412],
    [errors.PayloadTooLarge, 413],
    [errors.ContentTypeError, 415],
    [errors.InternalError, 500],
    [errors.TemporarilyUnavailable, 503],
  ])("have a name and a status each: %o", (Kind, status) => {
    const error = new Kind("why");

    expect(error).toMatchObject({ name: Kind.name, status, message: "why" });
    expect(error.details).toBeUndefined();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(Error);
  });

  it("carry their details, headers and cause", () => {
    const options = { details, headers: { allow: "PUT" }, cause };

    expect(new ValidationError("why", options)).toMatchObject(options);
  });

  it("say when to try again where that helps, in a second unless they know better", () => {
    const headers = { "retry-after": "5" };

    expect(new TemporarilyUnavailable("why").headers).toEqual({ "retry-after": "1" });
    expect(new TemporarilyUnavailable("why", { headers }).headers).toEqual(headers);
  });
});

describe("an error with added context", () => {
  it("is of the same kind, with the new message and details, and the same headers", () => {
    const headers = { "www-authenticate": "Bearer" };

    const restated = new AuthenticationRequired("why", { headers }).withContext({
      message: "where and why",
      details,
    });

    expect(restated).toBeInstanceOf(AuthenticationRequired);
    expect(restated).toMatchObject({ status: 401, message: "where and why", details, headers });
  });

  it("keeps the first cause, which is the error itself where it has none", () => {
    const error = new ConflictError("why");

    expect(new ConflictError("why", { cause }).withContext({ message: "again", details }).cause).toBe(cause);
    expect(error.withContext({ message: "again", details }).cause).toBe(error);
  });
});

it("the body of an error has no other id than a UUID, and no other outcome than the four", () => {
  const body = { id: "1", name: "ValidationError", message: "why", details: [{ outcome: "done" }] };

  expect(validate(errorSchema, body).issues).toEqual([
    ...issuesAt("is not valid", "/id"),
    ...issuesAt("must be one of patched, unchanged, failed, not attempted", "/details/0/outcome"),
  ]);
});

it.each([new TypeError("inside"), "inside", undefined, null, { status: 400, name: "ValidationError" }])(
  "an unknown error becomes an InternalError that does not reveal it: %j",
  (thrown) => {
    const error = errors.toApiError(thrown);

    expect(error).toBeInstanceOf(errors.InternalError);
    expect(error).toMatchObject({ message: "Internal error", cause: thrown });
  },
);
