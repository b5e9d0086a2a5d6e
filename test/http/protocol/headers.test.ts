/** What a response's headers may have. */
import { expect, it } from "vitest";
import { ConflictError } from "../../../lib/contract/errors.ts";
import { respond, respondWithError } from "../../../lib/http/response.ts";

it("a header has visible ASCII and spaces, whatever an answer has", () => {
  const hint = { environment: "a\r\nb", text: "c\r\nset-cookie: d=é \ud800" };
  const { headers } = respond({ status: 200, hint, headers: { location: "/grün 🚩" } });

  expect(headers).toMatchObject({
    "burgee-hint": "a%0D%0Ab: c%0D%0Aset-cookie: d=%C3%A9 %EF%BF%BD",
    location: "/gr%C3%BCn %F0%9F%9A%A9",
  });
});

it("so does that of an error", () => {
  const error = new ConflictError("why", { changeId: "é\n" });

  expect(respondWithError(error, "id").headers).toMatchObject({ "burgee-change": "%C3%A9%0A" });
});
