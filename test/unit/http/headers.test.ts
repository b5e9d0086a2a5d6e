import { expect, it } from "vitest";
import { header } from "../../../lib/http/headers.ts";
import { undeclaredEvent } from "../../support/routes.ts";

it.each([
  ["content-type", { host: "x", "content-type": "a" }, "a"],
  ["content-type", { host: "x", "Content-Type": "a" }, "a"],
  ["content-type", { host: "x", "CONTENT-TYPE": "a" }, "a"],
  ["content-type", { host: "x", "cOnTeNt-TyPe": "a" }, "a"],
  ["authorization", {}, undefined],
  ["authorization", { "x-authorization": "k3y", authorizatio: "k3y" }, undefined],
  ["authorization", { authorization: undefined }, undefined],
  ["authorization", { authorization: "" }, ""],
  // In lower case, as the gateway sends it.
  ["authorization", { Authorization: "other", authorization: "k3y" }, "k3y"],
])("the header %s of %j is %j", (name, headers, value) => {
  expect(header({ ...undeclaredEvent("PUT", "/"), headers }, name)).toBe(value);
});
