/** Commands say who moves before they ask. */
import { describe, expect, it } from "vitest";
import { movesSentence } from "../../../../infra/clients/admin/words/moves-sentence.ts";
import { projectOf } from "../../../support/seed.ts";
import { unconfirmed, useCommandLine } from "./command-line.ts";

const halves = ["blue", "green"].map((name) => ({ name, weight: 500 }));
const gradual = {
  id: "gradual",
  name: "flexibleRollout",
  parameters: { rollout: "50", stickiness: "default", groupId: "checkout" },
};
const line = await useCommandLine({
  projects: [projectOf("default", "development", "production")],
  features: [
    {
      name: "checkout",
      project: "default",
      environments: {
        development: { enabled: true, variants: halves, strategies: [gradual] },
        production: { enabled: true, variants: halves },
      },
    },
  ],
});

const addRed = JSON.stringify([
  { op: "add", path: "/variants/red", value: { weight: 100, weightType: "fix" } },
]);

it("shows who gets another variant, or the feature no more, before it asks", async () => {
  const patched = await line.run("feature patch checkout", addRed, "--environment", "production");
  const off = await line.run("feature off checkout --all");

  expect([patched, off]).toEqual([unconfirmed, unconfirmed]);
  expect(patched.err).toContain(
    "\n        15 % of users in production get something else: 10 % from green to red, 5 % from blue to green\n",
  );
  expect(off.err).toContain(`    development: off
        50 % of users in development lose the feature
    production: off
        100 % of users in production lose the feature
`);
});

it("shows it of a rollout, a promotion and an undo, and the list of changes keeps it", async () => {
  const rollOut = await line.run("feature rollout checkout 75 --environment development --dry-run");
  const promote = await line.run(
    "feature promote checkout --from development --to production --only strategies --dry-run",
  );
  await line.run("feature off checkout --environment production --yes");
  const undo = await line.run("feature undo checkout --dry-run");

  expect(rollOut.out).toContain("        25 % of users in development get the feature\n");
  expect(promote.out).toContain("        50 % of users in production lose the feature\n");
  expect(undo.out).toContain("        100 % of users in production get the feature\n");
  expect((await line.run("feature history checkout")).out).toContain(
    "    production: off; 100 % of users in production lose the feature (can be undone)\n",
  );
});

it.each([
  ["patch checkout", "production: remove /variants/blue", [`[{"op":"remove","path":"/variants/blue"}]`]],
  ["off checkout", "production: off", []],
  ["rollout checkout 25", 'production: add strategy "rollout": 25 %', []],
])(
  "prints it of `feature %s --yes` too, apart from the output, and makes the change",
  async (command, does, given) => {
    const { code, out, err } = await line.run(
      `feature ${command}`,
      ...given,
      "--environment",
      "production",
      "--yes",
    );

    expect(code).toBe(0);
    expect(out).toMatch(/^\w+ "checkout" .*in production: the change \S+\.\n$/);
    expect(err).toContain(`    ${does}`);
    expect(err).toMatch(/\n {8}\d+ % of users in production (lose the feature|get something else: .+)\n$/);
  },
);

it("prints it of a promotion and an undo with --yes too", async () => {
  const promote = "feature promote checkout --from development --to production --only strategies --yes";

  expect((await line.run(promote)).err).toContain("        50 % of users in production lose the feature\n");
  expect((await line.run("feature undo checkout --yes")).err).toContain(
    "        50 % of users in production get the feature\n",
  );
  expect(JSON.parse((await line.run(`--json ${promote}`)).out)).toMatchObject({ version: 1 });
});

it("has it in JSON, as the API responds", async () => {
  const { environments } = await line.json("feature off checkout --environment production --dry-run");

  expect(environments).toMatchObject([
    {
      moves: [
        { from: "blue", to: null, share: 0.5 },
        { from: "green", to: null, share: 0.5 },
      ],
    },
  ]);
});

describe("the sentence", () => {
  it.each([
    [[], "all users in live keep what they have"],
    [[{ from: "a", share: 0.5, to: null }], "50 % of users in live lose the feature"],
    [[{ from: null, to: true as const, share: 0.0001 }], "0.01 % of users in live get the feature"],
    [
      [{ from: "a", to: "b", share: 0.2, strategy: "beta" }],
      'at most 20 % of users in live get something else: 20 % of strategy "beta" from a to b',
    ],
    [
      [{ from: "a", to: "b", share: 0.2, atMost: true as const }],
      "at most 20 % of users in live get something else: 20 % from a to b",
    ],
    [
      [{ from: "a", to: "b", share: 0.2 }, { share: 0.1 }],
      "30 % of users in live get something else: 20 % from a to b, 10 % otherwise",
    ],
    [
      [{ share: null, strategy: "beta" }],
      'how many users in live get something else cannot be computed: unknown of strategy "beta"',
    ],
    [
      [
        { from: "a", to: null, share: 0.1 },
        { from: null, to: "b", share: 0.2 },
      ],
      "30 % of users in live get something else: 10 % from a to off, 20 % from off to b",
    ],
  ])("of %j", (moves, sentence) => {
    expect(movesSentence("live", moves)).toBe(sentence);
  });

  it("escapes what could command a terminal", () => {
    expect(movesSentence("li\u001b[2Jve", [])).toBe("all users in li\\u001b[2Jve keep what they have");
  });
});
