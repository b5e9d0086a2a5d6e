/** What no request makes a route throw. Responses and their errors: test/http */
import { expect, it } from "vitest";
import { InternalError } from "../../../lib/contract/errors.ts";
import { toApiError } from "../../../lib/http/handler.ts";

it.each([new TypeError("inside"), "inside", undefined, null, { status: 400, name: "ValidationError" }])(
  "what is thrown is an InternalError that does not reveal it where it is no error of the API: %j",
  (thrown) => {
    const error = toApiError(thrown);

    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ message: "Internal error", cause: thrown });
  },
);
