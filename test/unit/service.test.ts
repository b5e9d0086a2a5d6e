import { expect, it } from "vitest";
import { createService } from "../../lib/service.ts";

it.each([undefined, ""])(
  "a function without the name of its table (%j) says so when it starts",
  (TABLE_NAME) => {
    expect(() => createService({ TABLE_NAME })).toThrow("TABLE_NAME is not set");
  },
);

it.each(["a while", "-1"])(
  "a time of %s for keys to be remembered is refused when it starts",
  (KEY_CACHE_SECONDS) => {
    expect(() => createService({ TABLE_NAME: "burgee", KEY_CACHE_SECONDS })).toThrow("KEY_CACHE_SECONDS");
  },
);

it("a table is all that must be named", () => {
  expect(createService({ TABLE_NAME: "burgee" })).toBeTypeOf("function");
});
