/** `project list | put` and `feature list | show | create | delete`. */
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { projectItem } from "../../../../infra/store/key-and-project-items.ts";
import { featureTableKey } from "../../../../lib/store/items/items.ts";
import { listen } from "../../../support/listening.ts";
import { add } from "../../../support/patching.ts";
import type { Run } from "../../../support/program.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";
import { letPass } from "../../../support/time.ts";
import { type Call, isPutOfFeature } from "../../../support/wire.ts";
import {
  done,
  fileOf,
  isPut,
  isScanOfAll,
  refused,
  runProcess,
  unconfirmed,
  useCommandLine,
} from "./command-line.ts";

const nasty = tag("team\u001b[2J");
const edged = [tag("q4"), tag("q4 "), nasty];
const state = {
  projects: [projectOf("default", "development", "production"), projectOf("empty")],
  features: [
    featureOf("checkout", { development: [variant("blue")], production: [] }, { tags: edged }),
    { name: "bare", project: "empty" },
  ],
};

const line = await useCommandLine(state);

const addGreen = [add("/-", { name: "green", weight: 1 })];

it("feature list and show say who gets a feature as SDKs evaluate it", async () => {
  const constraints = [
    { contextName: "email", operator: "STR_ENDS_WITH", values: ["@x.org"], caseInsensitive: true },
  ];
  const strategy = { id: "ids", name: "userWithId", parameters: { userIds: "ann, " }, constraints };
  const variants = [variant("a", { weight: 1 }), variant("b", { weight: 3, weightType: "fix" })];
  // SDKs compare a rollout with whole numbers.
  const rollout = { id: "r", name: "flexibleRollout", parameters: { rollout: "12.9", stickiness: "userId" } };
  const environments = {
    development: { enabled: true, strategies: [{ ...strategy, variants }] },
    production: { enabled: true, variants },
    staging: { enabled: true, strategies: [{ ...rollout, constraints: [] }] },
  };
  await line.apply({
    projects: [projectOf("default", "development", "production", "staging")],
    features: [{ name: "beta", project: "default", environments }],
  });

  const listed = await line.run("feature list");
  const shown = await line.run("feature show beta");
  const deletion = await line.run("feature delete beta --dry-run");

  expect(listed.out).toMatch(/development on for 1 user · 1 constraint.*staging on for 12 % by userId/s);
  const users = "the users ann where email ends with @x.org in any case";
  expect(shown.out).toContain(`development: on for ${users}\n    ids: ${users} with a 25 %, b 75 %\n`);
  expect(shown.out).toContain("staging: on for 12 % by userId\n");
  expect(deletion.out).toContain("production: on for everyone; a 25 %, b 75 %\n");
});

it("project put makes one, and gives the features of one its new environments, in its order", async () => {
  const made = await line.json("project put other a b --yes");
  expect(made).toMatchObject({ dryRun: false, created: 1, updated: 0 });
  expect(await line.run("project put default production staging development")).toEqual(
    done(`~ feature "checkout"
    + environments/staging
~ project "default"
    + environments/staging
0 created, 2 updated, 0 removed, 4 unchanged.
`),
  );
  const { environments } = await line.burgee.storedFeature("checkout");
  expect(environments).toEqual(["production", "staging", "development"]);
  const variantsIn = async (environment: string) =>
    (await line.burgee.storedEnvironment("checkout", environment)).variants;
  expect(await variantsIn("development")).toEqual([variant("blue")]);
  expect((await line.burgee.patchVariants("checkout", addGreen)).json.variants).toEqual([variant("green")]);
  expect(await variantsIn("staging")).toEqual([variant("green")]);
  expect(await line.run("project list")).toEqual(
    done("PROJECT  ENVIRONMENTS\ndefault  production, staging, development\nempty    none\nother    a, b\n"),
  );
  expect((await line.json("project list"))[2]).toEqual({ id: "other", environments: ["a", "b"] });
});

it.each([
  [" ", "a"],
  ["..", "a"],
  ["other", ".."],
])("project put refuses the names %j and %j", async (id, environment) => {
  const { code, err } = await line.run("project", "put", id, environment, "--yes");

  expect(code).toBe(2);
  expect(err).toContain('must not be "." or "..", nor begin or end with a blank');
});

it("project put gives the rest of the features their new environment after an interruption", async () => {
  await line.run("feature create other --project default");
  const isOther = (call: Call) => isPut(call) && JSON.stringify(call.input).includes("other");
  line.burgee.wire.decide((call) => (isOther(call) ? { error: "AccessDeniedException" } : "pass"));
  expect(await line.run("project put default development production test")).toMatchObject({ code: 1 });
  line.burgee.wire.reset();

  expect(await line.run("project put default development production test")).toMatchObject({ code: 0 });

  for (const feature of ["checkout", "other"])
    expect((await line.burgee.storedFeature(feature)).environments).toContain("test");
});

it.each([
  ["feature create new --project default", "project put default development production late"],
  ["project put default development production late", "feature create new --project default"],
])("a new feature has a new environment: `%s` beside `%s`", async (slow, fast) => {
  line.burgee.wire.beforeFirst(isPut, () => line.run(fast));

  expect(await line.run(slow)).toMatchObject({ code: 0 });

  const environments = ["development", "production", "late"];
  expect((await line.burgee.storedFeature("new")).environments).toEqual(environments);
  expect(await line.burgee.patchVariants("new", addGreen)).toMatchObject({ status: 200 });
});

it("project put leaves alone what another command has made of the project since", async () => {
  const later = ["production", "later"];
  const isPutOfProject = (call: Call) => isPut(call) && JSON.stringify(call.input).includes('"PROJECT"');
  let isPutOnce = false;
  line.burgee.wire.decide(async (call) => {
    if (isPutOnce && call.operation === "Query") await line.burgee.put(projectItem("default", later));
    isPutOnce ||= isPutOfProject(call);
    return "pass" as const;
  });

  expect(await line.run("project put default development production late")).toMatchObject({ code: 0 });

  expect((await line.json("project list"))[0]).toEqual({ id: "default", environments: later });
});

it("feature create of what another command is creating is refused, and replaces nothing of it", async () => {
  let other: Promise<Run> | undefined;
  line.burgee.wire.decide(async (call) => {
    if (isPutOfFeature(call) && other) return { error: "AccessDeniedException" };
    if (isPutOfFeature(call)) {
      other = line.run("feature create new --project default");
      await setTimeout(300);
    }
    return "pass";
  });
  const environments = { development: [variant("blue")], production: [variant("blue")] };

  expect(await line.apply({ ...state, features: [featureOf("new", environments)] })).toMatchObject({
    code: 0,
  });

  expect(await other).toEqual(refused('the feature "new" already exists, in project "default"'));
  expect(await line.burgee.names("new", "development")).toEqual(["blue"]);
});

it("feature create keeps what was stored since, where it adds an environment that came late", async () => {
  let reads = 0;
  const isSecondRead = ({ operation, input }: Call) =>
    operation === "GetItem" && JSON.stringify(input).includes('"PROJECT"') && ++reads === 2;
  line.burgee.wire.beforeFirst(isSecondRead, async () => {
    await line.burgee.put(projectItem("default", ["production", "late"]));
    await line.burgee.patchVariants("new", addGreen);
    await line.burgee.putTags("new", { addedTags: [tag("since")], removedTags: [] });
  });

  const created = await line.json("feature create new --project default");

  expect(created).toMatchObject({
    environments: [{ environment: "production" }, { environment: "late" }],
  });
  expect(await line.burgee.names("new", "production")).toEqual(["green"]);
  expect((await line.burgee.getTags("new")).json.tags).toEqual([tag("since")]);
});

it("feature create makes one that can be patched everywhere", async () => {
  expect(await line.run("feature create new --project default")).toEqual(
    done('Created the feature "new" in project "default" (development, production).\n'),
  );
  expect(line.burgee.wire.calls.filter(isScanOfAll)).toEqual([]);
  expect(await line.burgee.patchVariants("new", addGreen)).toMatchObject({ status: 200 });
  expect((await line.burgee.storedEnvironment("new", "production")).revision).toBe(2);
});

it("feature delete removes the feature and its variants, once it was confirmed", async () => {
  const shown = expect.stringContaining("    development: off; blue 100 %\n    production: off\n");
  expect(await line.run("feature delete checkout")).toEqual({ ...unconfirmed, out: shown });
  expect(await line.run("feature delete checkout --yes")).toMatchObject({ code: 0, out: shown });

  expect((await line.burgee.patchVariants("checkout", addGreen)).status).toBe(404);
  const created = await line.json("feature create checkout --project default");
  expect(created).toEqual(await line.json("feature show checkout"));
  expect(await line.burgee.names("checkout")).toEqual([]);
});

it("feature delete removes what an interrupted one left, and suggests no such name", async () => {
  await line.run("feature create halfway --project default");
  await line.burgee.remove(featureTableKey("halfway"));
  letPass(6);

  expect(await line.run("feature delete halfway --dry-run")).toEqual(
    done(
      'Dry run: the feature "halfway" is gone, and what an interrupted command left of it would be deleted.\n',
    ),
  );
  expect(await line.run("feature delete halfway --yes")).toEqual(
    done('The feature "halfway" was gone; deleted what an interrupted command left of it.\n'),
  );
  expect(await line.run("feature delete halfway --yes")).toEqual(refused('there is no feature "halfway"'));
});

it("project put asks before it makes a project beside others, and suggests the one that may be meant", async () => {
  const { code, err } = await line.run("project put defualt development");

  expect([code, err]).toEqual([
    1,
    'burgee: There is no project "defualt" (did you mean "default"?). Create "defualt"? There is no terminal to ask at; run the command with --yes\n',
  ]);
  expect(await line.json("project list")).toHaveLength(2);
  expect(await line.run("project put defualt development --dry-run")).toMatchObject({ code: 0 });
  expect(await line.run("project put defualt development --yes")).toMatchObject({ code: 0 });
});

it("project put refuses to remove an environment that features have, and names them", async () => {
  expect(await line.run("project put default development")).toEqual(
    refused(
      'production cannot be removed from project "default", because features have what is removed: checkout; delete these features first, or list all of the environments',
    ),
  );
});

it("project remove removes one without features, and names the keys that name it", async () => {
  await line.run("project put other a --yes");
  await line.run("key create ci --permission READ:other");
  expect(await line.run("project remove other")).toMatchObject({
    ...{ code: 1, out: "" },
    err: expect.stringMatching(
      /^These keys name it: ci\nburgee: Remove the project "other"\? There is no terminal [^\n]+\n$/,
    ),
  });

  expect(await line.run("project remove other --yes")).toEqual(
    done('Removed the project "other".\nKeys that still name it: ci.\n'),
  );

  expect(await line.json("project list")).toHaveLength(2);
  expect(await line.run("project remove other")).toEqual(refused('there is no project "other"'));
  expect(await line.run("project remove emtpy")).toEqual(
    refused('there is no project "emtpy" (did you mean "empty"?)'),
  );
  expect(await line.run("project remove default --yes")).toEqual(
    refused('the project "default" has features; delete them first:\n    "checkout"'),
  );
});

it("project remove beside the creation of a feature leaves the project to the feature", async () => {
  await line.run("project put other a --yes");
  const isDelete = ({ operation }: Call) => operation === "DeleteItem";
  line.burgee.wire.beforeFirst(isDelete, () => line.run("feature create new --project other"));

  expect(await line.run("project remove other --yes")).toMatchObject({ code: 1 });

  expect(await line.json("project list")).toHaveLength(3);
  expect(await line.run("feature show new")).toMatchObject({ code: 0 });
});

it("feature list and show print names without control characters, and quote those whose edges cannot be seen", async () => {
  await line.burgee.patchVariants("checkout", addGreen);

  expect(await line.run("feature list")).toEqual(
    done(`FEATURE   PROJECT  TAGS  STATE
bare      empty    none  no environments
checkout  default  simple:q4, simple:"q4 ", simple:team\\u001b[2J  development off, 2 variants; production off, 1 variant
`),
  );
  const { out } = await line.run("feature show checkout");
  expect(out).toMatch(
    /^feature {2}checkout\nproject {2}default\ntags {5}simple:q4, simple:"q4 ", simple:team\\u001b\[2J\n\ndevelopment: off \(changed 2\S+ by admin\)\n/,
  );
  expect(out).toContain(`VARIANT  WEIGHT  TYPE      STICKINESS  PAYLOAD  OVERRIDES
blue     500     variable  default
green    500     variable  default
`);
});

const role = "arn:aws:sts::1:assumed-role/people-burgee-prod-operator";

it.each([
  ["the session of its role", `${role}/anna`, {}, "anna"],
  ["its user", "arn:aws:iam::1:user/team/ben", {}, "ben"],
  ["the AWS profile, if the session has no name", `${role}/botocore-session-17`, {}, "ops"],
  ["the AWS profile, if AWS does not say", undefined, {}, "ops"],
  ["the session that is set, if AWS does not say", undefined, { AWS_ROLE_SESSION_NAME: "anna" }, "anna"],
])(
  "a change on AWS is recorded with the name of %s, and never with an access key",
  async (_, arn, more, by) => {
    const sts = createServer(({ headers }, response) => {
      const isSigned = /Credential=AKIAOPS\/\d+\/eu-central-1\/sts\//.test(headers.authorization ?? "");
      response.writeHead(arn && isSigned ? 200 : 403).end(`<Arn>${arn}</Arn>`);
    });
    const AWS_ENDPOINT_URL_STS = `http://127.0.0.1:${await listen(sts)}`;
    onTestFinished(() => void sts.close());
    const profile =
      "[profile ops]\nregion = eu-central-1\naws_access_key_id = AKIAOPS\naws_secret_access_key = s\n";
    const { session, wire } = line.burgee;
    const given = ["--table", session.table, "feature", "create", "remote", "--project", "default"];
    const AWS_CONFIG_FILE = fileOf(Buffer.from(profile));
    const settings = {
      AWS_PROFILE: "ops",
      AWS_CONFIG_FILE,
      AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint,
      AWS_ENDPOINT_URL_STS,
      ...more,
    };

    expect(await runProcess(given, settings)).toMatchObject({ code: 0 });

    expect((await line.burgee.storedFeature("remote")).lastWrite?.by).toBe(by);
  },
);

it("feature list and show print for scripts what the API has", async () => {
  const [bare, ...rest] = await line.json("feature list");

  expect(bare).toEqual({ name: "bare", project: "empty", tags: [], environments: [] });
  expect(await line.json("feature list --project default")).toEqual(rest);
  expect(rest).toEqual([
    {
      name: "checkout",
      project: "default",
      tags: edged,
      environments: [
        { environment: "development", enabled: false, variants: [variant("blue")] },
        { environment: "production", enabled: false, variants: [] },
      ],
    },
  ]);
  expect(await line.json("feature show checkout")).toEqual((await line.burgee.getFeature("checkout")).json);
});

const stays = 'a feature stays in its project: delete it (`feature delete`), then create it in "empty"';
const all = 'must not be "*", which means all of them in a permission';
const exists = 'the feature "checkout" already exists, in project "default"';

it.each<[number, string, string, string?]>([
  [1, 'there is no feature "chekout" (did you mean "checkout"?)', "feature show chekout"],
  [1, 'there is no feature "something-else"', "feature show something-else"],
  [1, 'there is no feature "Checkout" (did you mean "checkout"?)', "feature delete Checkout"],
  [1, exists, "feature create checkout --project default"],
  [1, `${exists}; ${stays}`, "feature create checkout --project empty"],
  [1, 'there is no project "defalt" (did you mean "default"?)', "feature create x --project defalt"],
  [1, 'there is no project "emty" (did you mean "empty"?)', "feature list --project emty"],
  [2, 'environment "a" is listed twice', "project put p a a"],
  [2, `the project's id ${all}`, "project put * a"],
  [2, `the project's environments/1 ${all}`, "project put p a *"],
  ...["a/b", "..", "ä", "50%", "c d"].map((name): [number, string, string, string] => [
    2,
    `the feature's name must be URL-friendly: letters, digits and -_.!~*'() only, and not "." or ".."`,
    "feature create --project default",
    name,
  ]),
])("exits with %i: %s", async (code, message, ...command) => {
  expect(await line.run(...(command as string[]))).toEqual({ ...refused(message), code });
});
