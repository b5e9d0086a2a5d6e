/** Clients send each API key that a state file may have, and no other. */
import { expect, it } from "vitest";
import { keyIssue } from "../../../../infra/clients/api/key-issue.ts";
import { apiKeyStateSchema } from "../../../../infra/state/state-file-schemas.ts";

const rest = "fifteen letters";

it.each(["a", "é", "\t", " ", "", "\n", "\u007f", "ā", "\u{1f600}"])(
  "agrees on a key with %j in it",
  (character) => {
    const key = `${rest.slice(0, 5)}${character}${rest.slice(5)}`;
    const { success } = apiKeyStateSchema.safeParse({ name: "ci", key });

    expect(keyIssue(key) === "").toBe(success);
  },
);

it("sends a key with each character that it accepts", () => {
  const key = "fifteen\tletters~ÿ";

  expect(keyIssue(key)).toBe("");
  expect(new Headers({ authorization: key }).get("authorization")).toBe(key);
});
