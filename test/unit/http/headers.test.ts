/** Headers in other letter cases, absent or empty: test/http/access/authentication.test.ts */
import { expect, it } from "vitest";
import { header } from "../../../lib/http/headers.ts";
import { undeclaredEvent } from "../../support/routes.ts";

it.each([
  ["authorization", { "x-authorization": "k3y", authorizatio: "k3y" }, undefined],
  ["authorization", { authorization: undefined }, undefined],
  // In lower case, as the gateway sends it.
  ["authorization", { Authorization: "other", authorization: "k3y" }, "k3y"],
])("the header %s of %j is %j", (name, headers, value) => {
  expect(header({ ...undeclaredEvent("PUT", "/"), headers }, name)).toBe(value);
});
