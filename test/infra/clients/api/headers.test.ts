/** The headers that the command line, the page and agents send are read as what was meant. */

import { expect, it } from "vitest";
import { toShare } from "../../../../infra/cli/options.ts";
import {
  guardedCommand,
  type OptionNameForUsers,
} from "../../../../infra/clients/admin/change/change-command.ts";
import {
  type BurgeeOptions,
  burgeeHeaders,
  guardMinutesIssue,
  shareOfPercentage,
  strictBurgeeOptions,
} from "../../../../infra/clients/api/headers.ts";
import { defaultGuardSeconds } from "../../../../lib/contract/limits.ts";
import { optionDeclarations, type RequestOptions } from "../../../../lib/http/options.ts";

type Case<Name extends OptionNameForUsers> = [sent: Partial<BurgeeOptions>, read: RequestOptions[Name]];

const cases: { readonly [Name in OptionNameForUsers]: readonly [Case<Name>, ...Case<Name>[]] } = {
  reason: [
    [{ reason: " 50 % of \u{1f600} or %41 " }, " 50 % of \u{1f600} or %41 "],
    [{ reason: "é" }, "é"],
    [{ reason: " " }, " "],
  ],
  mostMoves: [[{ mostMoves: "0.2" }, 0.2]],
  guard: [
    [{ guard: "it's-(one)!" }, { name: "it's-(one)!", seconds: defaultGuardSeconds }],
    [
      { guard: "errors", for: "24h" },
      { name: "errors", seconds: 86_400 },
    ],
  ],
};
const rows = Object.entries(cases).flatMap(([name, ofOption]) =>
  ofOption.map(([sent, parsed]) => [optionDeclarations[name as OptionNameForUsers], sent, parsed] as const),
);

it.each(rows)("the header of $name is parsed as what was sent", ({ name, parse }, sent, value) => {
  const { [name.toLowerCase()]: text = "", ...others } = burgeeHeaders(sent);

  expect(others).toEqual({});
  expect(text).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
  expect(parse(text)).toEqual(value);
});

it.each(["0", "1", "1.0", "0.25", "0.", ".5", "1.01", "2", "1e-1", "-0", "", " 1"])(
  "commands take %j for a share if the API does",
  (share) => {
    const isTaken = accepts(() => toShare(share));

    expect(isTaken).toBe(accepts(() => optionDeclarations.mostMoves.parse(share)));
  },
);

it.each(["0", "1", "30", "1440", "1441", "9999", "1.5", "1h", "-1", ""])(
  "a guard for %s minutes has an issue if the API refuses it",
  (minutes) => {
    const { "burgee-guard": text = "" } = burgeeHeaders({ guard: "errors", for: `${minutes}m` });

    expect(guardMinutesIssue(minutes) === "").toBe(accepts(() => optionDeclarations.guard.parse(text)));
  },
);

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

it("a guarded command has an option for each value of the headers, by its name", () => {
  const values = { reason: "", mostMoves: "", guard: "", for: "" } satisfies BurgeeOptions;

  const names = guardedCommand("on", "Switch on", []).options.map((option) => option.attributeName());
  expect(names).toEqual(expect.arrayContaining(Object.keys(values)));
});

it("the options that the page takes for strict are those that make a change strict", () => {
  const strict = Object.entries(optionDeclarations).filter(
    ([name, option]) => name in cases && "makesStrict" in option && option.makesStrict,
  );

  expect(strictBurgeeOptions).toEqual(strict.map(([name]) => name));
});

it.each([
  ["1.4", "0.014"],
  ["33.3", "0.333"],
  ["100", "1"],
  ["0", "0"],
  ["0.00001", "0.0000001"],
])("a limit of %s %% is sent as the share %s", (percentage, share) => {
  expect(shareOfPercentage(percentage)).toBe(share);
});
