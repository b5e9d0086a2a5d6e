/** What options accept, of which each program has a test that it asks these functions. */
import { InvalidArgumentError } from "commander";
import { expect, it } from "vitest";
import { toServiceUrl, toShare } from "../../../infra/cli/options.ts";

it.each([
  "http://burgee.test",
  "http://127.0.0.1.burgee.test",
  "http://localhost@burgee.test",
  "http://localhost:1@burgee.test",
  "http://192.168.0.1:3000",
  "ftp://127.0.0.1",
  "https://key@burgee.test",
  "https://",
  "burgee.test",
])("the address of the API is not %s", (url) => {
  const message =
    "It must be an https: address, or an http: address of this machine, without a user, a query or a fragment.";
  expect(() => toServiceUrl(url)).toThrow(new InvalidArgumentError(message));
});

it.each([
  ["http://localhost:1", "http://localhost:1"],
  ["http://[::1]:1/", "http://[::1]:1"],
  ["http://127.0.0.2:1", "http://127.0.0.2:1"],
  ["https://burgee.test/stage/", "https://burgee.test/stage"],
])("the address of the API may be %s, and is %s", (url, expected) => {
  expect(toServiceUrl(url)).toBe(expected);
});

it.each(["2", "-1", "20%", ""])("a share of the users is not %j", (share) => {
  const message = "It must be a number from 0 to 1, such as 0.2.";
  expect(() => toShare(share)).toThrow(new InvalidArgumentError(message));
});

it.each(["0", "0.3", "1", "1.0"])("a share of the users may be %j", (share) => {
  expect(toShare(share)).toBe(share);
});
