/** The commands that need an API key alone: through the API of a service whose table they cannot reach. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { startBurgee } from "burgee/local";
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { ErrorCode } from "../../../../lib/contract/responses/error-body.ts";
import { freePort, listen } from "../../../support/listening.ts";
import { shortenPauses } from "../../../support/pauses.mjs";
import { runProgram } from "../../../support/program.ts";
import { featureOf, projectOf, tag, variant } from "../../../support/seed.ts";
import { hasTerminal, noTerminal } from "../../../support/terminal.ts";
import {
  done,
  fileOf,
  misused,
  newFolder,
  refused,
  run,
  runAtTerminal,
  runProcess,
  unconfirmed,
} from "./command-line.ts";

const lists = { development: [variant("blue")], production: [variant("blue")] };
const gradual = {
  id: "gradual",
  name: "flexibleRollout",
  sortOrder: 0,
  parameters: { rollout: "10", stickiness: "userId", groupId: "search" },
  constraints: [{ contextName: "country", operator: "IN", values: ["DE", "FR"] }],
  variants: [],
};
const {
  url: address,
  keys,
  ...burgee
} = await startBurgee({
  state: {
    projects: [projectOf("default", ...Object.keys(lists)), projectOf("other", "live")],
    features: [
      featureOf("checkout", lists, { tags: [tag("team-a")] }),
      featureOf("banner", { live: [variant("new")] }, { project: "other" }),
      {
        name: "search",
        project: "default",
        environments: {
          development: { enabled: true, variants: [], strategies: [gradual] },
          production: { enabled: true, variants: [] },
        },
      },
    ],
    apiKeys: [
      { name: "admin", key: "a key that may do everything", permissions: [{ permission: "ADMIN" }] },
      {
        name: "reader",
        key: "a key that only reads",
        permissions: [{ permission: "READ", project: "default" }],
      },
      {
        name: "switch",
        key: "a key that only switches",
        permissions: [{ permission: "UPDATE_FEATURE_ENVIRONMENT" }],
      },
      {
        name: "of one",
        key: "a key of one project",
        permissions: [{ permission: "CREATE_FEATURE", project: "other" }],
      },
      { name: "alarm", key: "a key that only trips guards", permissions: [{ permission: "TRIP_GUARD" }] },
      { name: "client", key: "a key of an SDK's only", permissions: [{ permission: "CLIENT" }] },
    ],
  },
});

beforeEach(() => burgee.reset());
afterEach(() => vi.unstubAllEnvs());
afterAll(() => burgee.stop());

function line(key = keys.admin, url = address) {
  vi.stubEnv("BURGEE_KEY", key);
  return (...given: string[]) => {
    const [first = "", ...rest] = given;
    return run(["--url", url, ...first.split(" "), ...rest]);
  };
}

const json = async (given: string) => JSON.parse((await line()(`--json ${given}`)).out);

it("switches, shows, lists and takes back with an API key, whose name the change has", async () => {
  const type = line();
  const { out } = await type("feature on checkout --environment production --yes --reason", "ein Ü");
  const { changes } = await json("feature history checkout");

  expect(out).toBe(`Switched "checkout" on in production: the change ${changes[0].id}.\n`);
  expect(changes).toMatchObject([{ by: "admin", reason: "ein Ü" }]);
  expect((await type("feature list --project default")).out).toBe(`FEATURE   PROJECT  TAGS           STATE
checkout  default  simple:team-a  development off, 1 variant; production on for everyone, 1 variant
search    default  none           development on for 10 % by userId · 1 constraint; production on for everyone
`);
  expect((await type("feature show checkout")).out).toMatch(
    /\nproduction: on for everyone \(changed 2\S+ by admin\)\n/,
  );
  expect((await type("feature undo checkout --yes")).out).toMatch(
    /^Undid \S+ in production: the change \S+\.\n$/,
  );
  expect((await type("history --since 1h")).out).toMatch(
    /^\S+ {2}2\S+Z "checkout" by admin, undoes \S+\n {4}production: off/,
  );
});

it("shows the change that was written last in each environment, also after a retry has finished an earlier one", async () => {
  const green = [{ op: "add", path: "/variants/green", value: { weight: 0, weightType: "fix" } }];
  const sticky = [{ op: "replace", path: "/variants/green/stickiness", value: "userId" }];
  const patch = (patch: object[], below = "", headers = {}) =>
    fetch(`${address}/api/admin/projects/default/features/checkout${below}`, {
      method: "PATCH",
      headers: { authorization: keys.admin, "content-type": "application/json", ...headers },
      body: JSON.stringify(patch),
    });
  const keyed = { "idempotency-key": "halfway" };
  await patch(green, "/environments/development");
  expect((await patch(sticky, "", keyed)).status).toBe(400);
  await patch(green, "/environments/production");
  await line(keys.switch)("feature on checkout --environment development --yes");
  expect((await patch(sticky, "", keyed)).status).toBe(200);

  const { out } = await line()("feature show checkout");

  expect(out).toMatch(/\ndevelopment: on for everyone \(changed 2\S+ by switch\)\n/);
  expect(out).toMatch(/\nproduction: off \(changed 2\S+ by admin\)\n/);
});

it("previews and asks first; a dry run and a refused change write nothing", async () => {
  const type = line();
  const asked = await type("feature on checkout --all");
  const { out } = await type("feature on checkout --all --dry-run");

  expect(asked).toEqual(unconfirmed);
  const shown = `    development: on\n        100 % of users in development get the feature\n    production: on\n        100 % of users in production get the feature\n`;
  expect(asked.err).toContain(shown);
  expect(out).toBe(`Dry run, nothing was changed. Switch "checkout" on in every environment:\n${shown}`);
  expect(await line(keys.reader)("feature on checkout --all --yes")).toEqual(
    refused(
      'The API key lacks the permission UPDATE_FEATURE_ENVIRONMENT in development and production; "key create --help" explains permissions',
    ),
  );
  expect(await json("history")).toEqual({ changes: [] });
});

it.each([
  ["off", "feature off search --environment production", "UPDATE_FEATURE_ENVIRONMENT"],
  ["a rollout", "feature rollout search 25 --environment production", "UPDATE_FEATURE_STRATEGY"],
  ["a promotion", "feature promote search --from development --to production", "UPDATE_FEATURE_STRATEGY"],
])(
  "previews %s with a key that only reads, and names the permission that it lacks",
  async (_, given, name) => {
    const type = line(keys.reader);
    const { code, out, err } = await type(`${given} --dry-run`);

    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Dry run, .+\n {4}production: .+\n {8}.+ users in production /),
    ]);
    expect(err).toBe(
      `This API key may preview the change, but not make it: it lacks ${name} in production; "key create --help" explains permissions\n`,
    );
    expect(await type(`${given} --yes`)).toEqual({
      code: 1,
      out: "",
      err: `burgee: The API key lacks the permission ${name} in production; "key create --help" explains permissions\n`,
    });
    const { missingPermissions } = JSON.parse((await type(`--json ${given} --dry-run`)).out);
    expect(missingPermissions).toEqual([{ permission: name, environment: "production" }]);
  },
);

it("names each permission that a change lacks, and each issue of a patch, once", async () => {
  const patch = JSON.stringify([
    { op: "add", path: "/strategies/rollout", value: { name: "default" } },
    { op: "replace", path: "/enabled", value: true },
  ]);
  const given = ["feature patch checkout", patch, "--all", "--yes"] as const;
  const lacks = (environment: string) =>
    `The API key lacks the permission UPDATE_FEATURE_STRATEGY in environment "${environment}" of project "default"`;

  expect(await line("a key that only switches")(...given)).toEqual(
    refused(`${lacks("development")}\n    ${lacks("production")}`),
  );
  const wrong = [1, 2, 3].map((path) => ({ op: "add", path }));
  const { err } = await line()("feature patch checkout", JSON.stringify(wrong), "--all", "--yes");
  expect(err).not.toContain("undefined");
  expect(err.match(/\/2\/path /g)).toHaveLength(1);
});

it("previews a trip with a key that only reads, and names the permission that it lacks", async () => {
  await line()("feature off search --environment production --guard errors --yes");
  const type = line(keys.reader);
  const given = "guard trip errors --environment production --project default";

  const { code, out, err } = await type(`${given} --dry-run`);

  expect([code, out]).toEqual([0, expect.stringContaining("    search: would undo ")]);
  expect(err).toContain("it lacks TRIP_GUARD in production; ");
  for (const more of ["", " --yes"]) {
    expect(await type(given + more)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^burgee: The API key lacks the permission TRIP_GUARD in production; .+\n$/),
    });
  }
});

it("previews an undo with a key that only reads", async () => {
  await line()("feature off search --environment production --yes");

  expect(await line(keys.reader)("feature undo search --dry-run")).toEqual({
    code: 0,
    out: expect.stringContaining("    production: on\n        100 % of users"),
    err: expect.stringContaining("UPDATE_FEATURE_ENVIRONMENT"),
  });
});

it("a dry run of what would fail fails, and says where", async () => {
  const type = line(keys.reader);
  const patch = JSON.stringify([{ op: "remove", path: "/variants/none" }]);
  const reason = 'operation 0 (remove /variants/none): there is no member "none"';

  expect(await type("feature patch checkout --all --dry-run", patch)).toEqual(
    refused(`environment "development": ${reason}\n    development: failed\n    production: failed`),
  );
  const { code, out } = await type("--json feature patch checkout --all --dry-run", patch);
  expect([code, JSON.parse(out).environments]).toMatchObject([
    1,
    [{ outcome: "failed", message: reason }, {}],
  ]);
});

it("creates a feature, which a key without the permission may not", async () => {
  const created = await line()("feature create fresh --project default");
  const refusal = await line(keys.reader)("feature create other --project default");

  expect(created).toEqual(
    done('Created the feature "fresh" in project "default" (development, production).\n'),
  );
  expect(refusal).toEqual(refused('The API key lacks the permission CREATE_FEATURE in project "default"'));
  expect((await line()("feature on fresh --all --yes")).code).toBe(0);
});

it("creates a feature in the only project that the key reads, and lists the projects where there are several", async () => {
  const several = await line()("feature create fresh --yes");
  const one = await line("a key of one project")("feature create fresh --yes");

  expect(several).toEqual(misused("give --project, one of: default, other"));
  expect(one).toEqual(done('Created the feature "fresh" in project "other" (live).\n'));
});

it("says that the list of all changes has no creations", async () => {
  expect((await line()("history")).out).toMatch(
    /^There are no changes of features\. Creations, .+ of --url\.\n$/,
  );
});

it("says what is wrong with the address of a page", async () => {
  expect(await line(undefined, `${address}/patch`)("feature list")).toEqual(
    refused(
      "HTTP status 404: Not Found; check the address: that of the API ends before a path such as /patch",
    ),
  );
});

it.each([
  ["", "give --environment or --all"],
  ["--all --environment production", "give --environment or --all, not both"],
])("refuses a switch with `%s`", async (where, message) => {
  expect(await line()(`feature off checkout ${where}`.trim())).toEqual(misused(message));
});

it("trips a guard with a key that may do nothing else", async () => {
  expect(await line(keys.alarm)("guard trip errors --environment live --project other --yes")).toEqual(
    done('No change is under the guard "errors" in live.\n'),
  );
});

it("suggests a name, in the projects that the key may read", async () => {
  const type = line(keys.reader);

  expect(await type("feature show chekout")).toEqual(
    refused('there is no feature "chekout" (did you mean "checkout"?)'),
  );
  expect(await type("feature show banner")).toEqual(refused('there is no feature "banner"'));
  expect(await type("feature show ..")).toEqual(refused('".." cannot be a name in a path'));
  expect(await type("feature list --project defualt")).toEqual(
    refused('there is no project "defualt" (did you mean "default"?)'),
  );
});

it("exports what the key may read, which apply makes again elsewhere, without keys", async () => {
  const { out } = await line(keys.reader)("export");
  const state = JSON.parse(out);

  expect(Object.keys(state)).toEqual(["projects", "features"]);
  expect(state.features.map(({ name }: { name: string }) => name)).toEqual(["checkout", "search"]);
  expect(state.features[1].environments.development).toMatchObject({
    enabled: true,
    variants: [],
    strategies: [gradual],
  });
  const data = `${newFolder().path}/data`;
  expect(await run(["--data", data, "apply", fileOf(state)])).toMatchObject({ code: 0 });
  const again = await run(["--data", data, "export"]);
  const { apiKeys: _, ...rest } = JSON.parse(again.out);
  expect(rest).toEqual(state);
});

it.each([
  ["unleash", "/client/features"],
  ["flagd", "/flagd.json"],
])("exports the document of %s as SDKs load it", async (format, path) => {
  const given = ["export --as", format, "--project", "default", "--environment", "development"];
  const { out } = await line(keys.reader)(...given);

  const response = await fetch(`${address}/api/projects/default/environments/development${path}`, {
    headers: { authorization: keys.client },
  });
  expect(JSON.parse(out)).toEqual(await response.json());
});

it("needs a key, the right one, and an address that keeps it secret", async () => {
  const none = "--url needs an API key in the environment variable BURGEE_KEY";
  expect(await line("")("feature list")).toEqual(misused(none));
  for (const key of ["a key\nof two lines", "ключ-from-another-layout"]) {
    const undeliverable =
      "BURGEE_KEY: The API key has a line break, or a character that no header can carry; copy it again";
    expect(await line(key)("feature list")).toEqual(misused(undeliverable));
  }
  const short = "BURGEE_KEY: An API key has at least 16 characters, and this has 11; copy it again";
  expect(await line("$BURGEE_KEY")("feature list")).toEqual(misused(short));
  expect(await line("not a key of this Burgee")("feature list")).toEqual(
    refused("The API key in BURGEE_KEY is unknown, revoked or expired"),
  );
  const { code, err } = await line(undefined, "http://burgee.test")("feature list");
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(
      "It must be an https: address, or an http: address of this machine, without a user, a query or a fragment.",
    ),
  ]);
  const address = `http://127.0.0.1:${await freePort()}`;
  expect(await line(undefined, address)("feature list")).toEqual(
    refused(`No response from ${address} (connection refused); check the address, and that the server runs`),
  );
});

it.each([
  ["a page", "<!doctype html><title>Another site</title>"],
  ["nothing", ""],
])("asks to check an address whose server responds with %s", async (_, body) => {
  const server = createServer((_, response) => void response.end(body));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${await listen(server)}`;

  expect(await line(undefined, url)("feature list")).toEqual(
    refused(`The response of ${url} to GET /api/admin/projects is not JSON; check the address`),
  );
});

it("prints the body of the API's error with --json, too", async () => {
  const off = "--json feature off checkout --environment production --yes";
  const lacks = await line(keys.reader)(off);
  const wrong = JSON.stringify([{ op: "remove", path: "/variants/none" }]);
  const invalid = await line()("--json feature patch checkout", wrong, "--all", "--yes");
  const restored = await line()("--json feature restore checkout --project default --yes");

  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(lacks).toMatchObject({ code: 1, err: expect.stringContaining("UPDATE_FEATURE_ENVIRONMENT") });
  expect(JSON.parse(lacks.out)).toMatchObject({ id, name: "NoAccessError", message: expect.any(String) });
  expect(invalid).toMatchObject({ code: 1, err: expect.stringContaining("burgee: ") });
  expect(JSON.parse(invalid.out)).toMatchObject({ id, name: "ValidationError", details: expect.any(Array) });
  expect(JSON.parse(restored.out)).toMatchObject({ id, name: "ConflictError", code: "exists" });
  expect(await line()("--json feature show none")).toEqual(refused('there is no feature "none"'));
});

it("deletes with what it was shown, and restores it, in the name of the key", async () => {
  const type = line();
  const shown = `feature "search" of project "default"
    development: on for 10 % by userId where country is DE, FR
    production: on for everyone
`;
  const before = await json("feature show search");

  expect(await type("feature delete search --dry-run")).toEqual(
    done(`${shown}Dry run, nothing was deleted.\n`),
  );
  expect(await type("feature delete search")).toEqual({ ...unconfirmed, out: shown });
  expect(await line(keys.reader)("feature delete search --yes")).toMatchObject({
    code: 1,
    out: shown,
    err: expect.stringContaining('The API key lacks the permission DELETE_FEATURE in project "default"'),
  });
  line();
  expect((await type("feature delete search --yes --reason", "ein Ü")).out).toMatch(
    /^Deleted the feature "search"; until 2\S+Z "feature restore" brings it back\.$/m,
  );
  expect(await type("feature show search")).toMatchObject({ code: 1 });
  expect(await type("feature delete search --yes")).toEqual(refused('there is no feature "search"'));
  expect(await type("feature restore search --yes")).toEqual(
    misused("give --project, one of: default, other"),
  );
  expect(await type("feature restore search --project default --yes")).toEqual(
    done(`${shown}Restored the feature "search".\n`),
  );
  const environments = before.environments.map((one: object) => ({ ...one, etag: expect.any(String) }));
  expect(await json("feature show search")).toEqual({ ...before, environments });
  expect((await type("feature restore search --project default --yes")).err).toContain("already exists");
});

it("deletes nothing else than what was shown with the question, until the deletion is there", async ({
  skip,
}) => {
  skip(!hasTerminal(), noTerminal);
  const switchOff = "feature off search --environment production --yes";
  const url = await proxy(() => true, {
    before: async ({ method }) => {
      if (method === "DELETE") await line()(switchOff);
    },
  });
  const typed = `node dist/tools/admin.mjs --url ${url} feature delete search`;

  const { shown, code } = await runAtTerminal(typed, () => "y\r", { ...process.env, BURGEE_KEY: keys.admin });

  expect(shown).toContain("    production: on for everyone");
  expect(shown).toContain(
    'burgee: the feature "search" was changed since it was shown; run the command again',
  );
  expect(code).toBe(1);
  expect((await json("feature show search")).environments[1].enabled).toBe(false);
});

it("delete, restore and create print the response of the API with --json", async () => {
  const deleted = await json("feature delete search --yes");
  const restored = await json("feature restore search --project default --yes");

  expect(deleted).toEqual({ deletion: expect.any(String), restorableUntil: expect.any(String) });
  expect(restored).toEqual(await json("feature show search"));
  const created = await json("feature create banner2 --project default");
  expect(created).toEqual(await json("feature show banner2"));
});

it("delete names the features that depend on it", async () => {
  await fetch(`${address}/api/admin/projects/default/features/search/environments/production`, {
    method: "PATCH",
    headers: { authorization: keys.admin, "content-type": "application/json" },
    body: JSON.stringify([{ op: "add", path: "/dependencies", value: [{ feature: "checkout" }] }]),
  });

  const { out } = await line()("feature delete checkout --dry-run");

  expect(out).toContain('Depends on it, and is off without it: "search" (production).');
});

it.each(["--dry-run", "--deletion Xq8vN0bT3dE"])("restore has %s only with the table", async (option) => {
  const [name] = option.split(" ");

  expect(await line()(`feature restore checkout ${option}`)).toEqual(
    misused(`${name} of a restoration needs access to the table`),
  );
});

it.each(["key list", "project list", "apply infra/demo.json"])("`%s` needs the table", async (command) => {
  const place = "give --data, --endpoint or --table in place of --url";
  expect(await line()(command)).toEqual(misused(`this command needs access to the table: ${place}`));
  expect(await line()(`--table x ${command}`)).toMatchObject({ code: 2 });
});

it("is the same in a process of its own, as it is built", async () => {
  const given = ["--url", address, "feature", "off", "search", "--environment", "production", "--yes"];

  expect(await runProcess(given, { BURGEE_KEY: keys.admin })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Switched "search" off in production: the change \S+\.\n$/),
  });
});

/** Between the attempts of a request. */
const pausesMs = [1000, 2000, 4000];

/** Collects the pauses of the commands of this test, in place of waiting for them. */
function collectPauses(): number[] {
  const { pauses, restore } = shortenPauses();
  onTestFinished(restore);
  return pauses;
}

/** A server before the service that decides what its client sees. */
async function proxy(
  onResponse: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
  { before = async () => {} }: { before?(request: IncomingMessage): Promise<void> } = {},
) {
  const server = createServer(async (request, response) => {
    await before(request);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const { method = "GET" } = request;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const passed = await fetch(address + request.url, { method, headers, ...body });
    const text = await passed.text();
    if (!(await onResponse(request, response))) return;
    const { "content-encoding": ___, ...rest } = Object.fromEntries(passed.headers);
    response.writeHead(passed.status, rest).end(text);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

it.each<[string, (response: ServerResponse) => unknown]>([
  ["was lost", (response) => response.destroy()],
  ["is no HTTP", ({ socket }) => socket?.end("damaged\r\n\r\n")],
  [
    "is not compressed as it says",
    (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("{}"),
  ],
])("makes one change where the response %s: the retry has the same idempotency key", async (_, damage) => {
  const pauses = collectPauses();
  const sent: unknown[] = [];
  const url = await proxy((request, response) => {
    if (request.headers["idempotency-key"] === undefined) return true;
    sent.push(request.headers["idempotency-key"]);
    if (sent.length > 1) return true;
    damage(response);
    return false;
  });

  const { code, out } = await line(undefined, url)("feature on checkout --all --yes");

  expect([code, new Set(sent).size, sent.length]).toEqual([0, 1, 2]);
  expect(pauses).toEqual(pausesMs.slice(0, 1));
  const { changes } = await json("feature history checkout");
  expect(changes).toHaveLength(1);
  expect(out).toBe(`Switched "checkout" on in development, production: the change ${changes[0].id}.\n`);
});

it.each(["--yes", "--reason alarm"])(
  "sends no trip where the preview finds nothing to undo: it would undo what came under the guard since (%s)",
  async (option) => {
    const change = "feature on checkout --environment production --guard errors --yes";
    const url = await proxy(async (request) => {
      if (request.url?.endsWith("/trip?dryRun=true")) await run(["--url", address, ...change.split(" ")]);
      return true;
    });

    const given = "guard trip errors --environment production --project default";
    const tripped = await line(undefined, url)(`${given} ${option}`);

    expect(tripped).toEqual(done('No change is under the guard "errors" in production.\n'));
    expect((await json("feature history checkout")).changes).toMatchObject([{ guard: "errors" }]);
  },
);

it("says that a trip may be stored where its response cannot be read", async () => {
  await line()("feature on checkout --environment production --guard errors --yes");
  const url = await proxy((request, response) => {
    if (!request.url?.endsWith("/trip")) return true;
    response.writeHead(200, { "content-encoding": "gzip" }).end("{}");
    return false;
  });

  const given = "guard trip errors --environment production --project default";
  const { code, err } = await line(undefined, url)(`${given} --yes`);

  expect(code).toBe(1);
  expect(err).toContain(
    "; it is not known whether the last write was stored; to undo the rest, run: burgee --url ",
  );
  expect((await json("feature history checkout")).changes).toHaveLength(2);
});

/** As docs/API.md says what each code asks for: whether the command has done it, what it says, and whether to run it again. */
const afterCode: Record<ErrorCode, { status: number; exit: number; out?: string; err?: string }> = {
  applied: { status: 400, exit: 0, out: 'Switched "checkout" on in production: the change abc.' },
  "outcome-unknown": { status: 404, exit: 1 },
  undone: { status: 409, exit: 1 },
  "key-used": { status: 409, exit: 1 },
  exists: { status: 409, exit: 1 },
  "too-many-moves": { status: 409, exit: 1 },
  "cannot-undo": { status: 409, exit: 1 },
  "changed-meanwhile": { status: 409, exit: 1, err: "; to try again, run: burgee --url " },
  "gave-up": { status: 409, exit: 1, err: "; to try again, run: burgee --url " },
};

it.each(Object.entries(afterCode))("a change whose response has the code %s", async (code, after) => {
  const { status, exit, out = "", err = exit === 0 ? "" : "\n" } = after;
  const url = await proxy((request, response) => {
    if (request.headers["idempotency-key"] === undefined) return true;
    const details = [{ environment: "production", outcome: code === "applied" ? "patched" : "failed" }];
    const name = { 400: "ValidationError", 404: "NotFoundError" }[status] ?? "ConflictError";
    const body = { id: randomUUID(), name, code, message: "It is not known", details };
    response.writeHead(status, { "burgee-change": "abc" }).end(JSON.stringify(body));
    return false;
  });

  const ended = await line(undefined, url)("feature on checkout --environment production --yes");

  expect([ended.code, ended.out]).toEqual([exit, expect.stringContaining(out)]);
  expect(ended.err).toContain(`It is not known${err}`);
});

it("a feature that was created or restored is not reported as missing where it could not be read", async () => {
  const url = await proxy(({ headers }, response) => {
    if (headers["idempotency-key"] === undefined) return true;
    const body = {
      id: randomUUID(),
      name: "NotFoundError",
      code: "applied",
      message: "It could not be read",
    };
    response.writeHead(404).end(JSON.stringify(body));
    return false;
  });
  const type = line(undefined, url);

  expect(await type("feature create banner --project default")).toEqual({
    code: 0,
    out: 'Created the feature "banner" in project "default".\n',
    err: "It could not be read\n",
  });
  await type("feature delete banner --yes");
  expect(JSON.parse((await type("--json feature create banner --project default")).out)).toEqual({
    code: "applied",
    message: "It could not be read",
  });
  await type("feature delete banner --yes");
  expect(await type("feature restore banner --project default --yes")).toEqual({
    code: 0,
    out: 'Restored the feature "banner".\n',
    err: "It could not be read\n",
  });
});

it("the command that it advises to run again can be pasted", async () => {
  let isFirst = true;
  const url = await proxy((request, response) => {
    if (!isFirst || !request.url?.includes("dryRun=true")) return true;
    isFirst = false;
    const body = { id: randomUUID(), name: "ConflictError", code: "gave-up", message: "Gave up" };
    response.writeHead(409).end(JSON.stringify(body));
    return false;
  });
  const patch = JSON.stringify([{ op: "replace", path: "/enabled", value: true }]);
  const given = ["feature patch checkout", patch, "--environment", "production", "--reason", "it's on"];

  const { err } = await line(undefined, url)(...given, "--yes");

  const [, advised = ""] = /run: (.+)$/m.exec(err) ?? [];
  const bash = `burgee() { "${process.execPath}" dist/tools/admin.mjs "$@"; }; ${advised} --yes`;
  const ran = await runProgram("bash", ["-c", bash], { env: { ...process.env, BURGEE_KEY: keys.admin } });
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Patched "checkout" in production') });
  expect((await json("feature history checkout")).changes).toMatchObject([{ reason: "it's on" }]);
});

it("says once that it waits for a server that does not respond, and goes on when it does", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const shortened = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
  onTestFinished(() => shortened.mockRestore());
  const pauses = collectPauses();
  let silent = 2;
  const url = await proxy(() => silent-- <= 0);

  const { code, out, err } = await line(undefined, url)("feature show checkout --project default");

  expect([code, err]).toEqual([0, `burgee: No response from ${url} within 32 seconds; retrying\n`]);
  expect(out).toMatch(/^feature {2}checkout\n/);
  expect(pauses).toEqual(pausesMs.slice(0, 2));
});

it("waits before a retry as long as the response asks for, and at least a second", async () => {
  const times: number[] = [];
  const answers = [{ "retry-after": "2" }, {}];
  const url = await proxy((_, response) => {
    times.push(performance.now());
    const headers = answers.shift();
    if (headers) response.writeHead(503, headers).end("{}");
    return headers === undefined;
  });

  expect((await line(undefined, url)("feature show checkout --project default")).code).toBe(0);

  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThan(1950);
  expect(third - second).toBeGreaterThan(950);
}, 20_000);

it("does not retry where the response asks for a longer pause than half a minute", async () => {
  let attempts = 0;
  const url = await proxy((_, response) => {
    attempts++;
    response.writeHead(503, { "retry-after": "3600" }).end("{}");
    return false;
  });

  const { code } = await line(undefined, url)("feature show checkout --project default");

  expect([code, attempts]).toEqual([1, 1]);
});

it("says that a write may be stored where a gateway responds in place of the service", async () => {
  const url = await proxy(({ headers }, response) => {
    if (headers["idempotency-key"] === undefined) return true;
    response.writeHead(504, { "retry-after": "60" }).end("Gateway Timeout");
    return false;
  });

  const { code, err } = await line(undefined, url)("feature on checkout --environment production --yes");

  expect(code).toBe(1);
  expect(err).toContain(
    "HTTP status 504: Gateway Timeout; it is not known whether the last write was stored; to try again, run: ",
  );
});

it.each([
  "feature rollout checkout 25 --all --yes",
  "feature delete checkout",
  "feature on checkout --environment production",
])("refuses to write where what it shows has no ETag: %s", async (given) => {
  const url = await proxy(async (_, response) => {
    const { writeHead } = response;
    response.writeHead = ((status: number, { etag: _, ...headers }: Record<string, string>) =>
      writeHead.call(response, status, headers)) as typeof writeHead;
    return true;
  });

  const { code, err } = await line(undefined, url)(given);

  expect(code).toBe(1);
  expect(err).toContain("The response has no ETag");
});

it("prints the response as JSON where what is to be created exists", async () => {
  const { code, out, err } = await line()("feature create checkout --project default --json");

  expect(code).toBe(1);
  expect(JSON.parse(out as string)).toMatchObject({ name: "ConflictError" });
  expect(err).toContain('the feature "checkout" already exists, in project "default"');
});

it("says in a dry run too that there is nothing to guard", async () => {
  await line()("feature off checkout --environment development --yes");

  const { err } = await line()("feature off checkout --environment development --dry-run --guard errors");

  expect(err).toBe("development: this environment does not change, so there is nothing to guard\n");
});

it("shows how to try a dry run again, as a dry run", async () => {
  const url = await proxy(({ method }, response) => {
    if (method === "GET") return true;
    response.writeHead(503, { "retry-after": "60" }).end("{}");
    return false;
  });

  const { err } = await line(undefined, url)("feature off checkout --all --dry-run");

  expect(err).toMatch(/; to try again, run: burgee --url .+ feature off checkout --all --dry-run\n$/);
});

it("says what is known where every response is lost, and how to go on", async () => {
  const pauses = collectPauses();
  const url = await proxy((request, response) => {
    if (request.headers["idempotency-key"] === undefined) return true;
    response.destroy();
    return false;
  });

  const { code, err } = await line(undefined, url)("feature on checkout --all --yes");

  expect(code).toBe(1);
  expect(err).toMatch(
    /\nburgee: No response from .+; it is not known whether the last write was stored; to try again, run: burgee --url .+ feature on checkout --all\n$/,
  );
  expect(pauses).toEqual(pausesMs);
  expect(await line()("feature on checkout --all --yes")).toEqual(
    done('"checkout" is already on in every environment.\n'),
  );
});
