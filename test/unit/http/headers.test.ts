import { describe, expect, it } from "vitest";
import { header } from "../../../lib/http/headers.ts";
import { undeclaredEvent } from "../../support/routes.ts";

const eventWith = (headers: Record<string, string | undefined>) => ({
  ...undeclaredEvent("PUT", "/"),
  headers,
});

describe("a header", () => {
  it.each(["content-type", "Content-Type", "CONTENT-TYPE", "cOnTeNt-TyPe"])("is found as %s", (name) => {
    expect(header(eventWith({ host: "x", [name]: "application/json" }), "content-type")).toBe(
      "application/json",
    );
  });

  it("that is not there is undefined", () => {
    expect(header(eventWith({}), "authorization")).toBeUndefined();
    expect(
      header(eventWith({ "x-authorization": "k3y", authorizatio: "k3y" }), "authorization"),
    ).toBeUndefined();
    expect(header(eventWith({ authorization: undefined }), "authorization")).toBeUndefined();
  });

  it("may be empty", () => {
    expect(header(eventWith({ authorization: "" }), "authorization")).toBe("");
  });

  it("in lower case, as the gateway sends it, wins over another form of it", () => {
    expect(header(eventWith({ Authorization: "other", authorization: "k3y" }), "authorization")).toBe("k3y");
  });
});
