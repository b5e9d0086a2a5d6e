/** The headers that a page of another origin may send and read. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { optionDeclarations } from "../../../lib/http/options.ts";
import { document } from "../../support/document.ts";

const { extensions } = parse(readFileSync("infra/aws/core.yml", "utf8"), { merge: true });
const [, { AllowHeaders, ExposeHeaders }] = extensions.HttpApi.Properties.CorsConfiguration["Fn::If"];

it("a page may send each header of a request, but the one that browsers set", () => {
  const headers = Object.values(optionDeclarations).filter((option) => option.in === "header");
  const names = new Set(["Authorization", "Content-Type", ...headers.map(({ name }) => name)]);
  names.delete("Accept-Encoding");

  expect(new Set(AllowHeaders)).toEqual(names);
});

it("a page may read each header of a response, but those for other clients", () => {
  const responses = Object.values(document.components.responses);
  const names = new Set(responses.flatMap(({ headers = {} }) => Object.keys(headers)));
  for (const other of ["www-authenticate", "accept", "accept-patch", "accept-encoding", "burgee-left-out"])
    names.delete(other);

  expect(new Set(ExposeHeaders.map((name: string) => name.toLowerCase()))).toEqual(names);
});
