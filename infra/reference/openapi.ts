/** The OpenAPI document: the routes with their comments, and responses recorded from the handlers. */
import { readdirSync } from "node:fs";
import type { PermissionName } from "../../lib/access/permissions.ts";
import { limits } from "../../lib/contract/limits.ts";
import type { Route } from "../../lib/http/route.ts";
import type { Client } from "../../lib/store/dynamodb/client.ts";
import { version } from "../../package.json";
import { type Cases, type OperationId, responseOf, sharedResponses, successes } from "./cases.ts";
import { readComments } from "./comments.ts";
import { createSchemas } from "./named-schemas.ts";
import { parameters, parametersOf } from "./parameters.ts";
import { type Recorded, type Recordings, recordAll } from "./record.ts";
import { type Examples, statusOf, toContent, tooManyRequests, toResponse } from "./responses.ts";

const localServer = "http://127.0.0.1:3000";

const describeApi = (
  answer: unknown,
) => `Switches feature flags and changes their strategies, variants and tags, in the formats of Unleash's admin API; the API calls a flag a feature. On the reference page every operation sends a real request; a write is a dry run there until \`dryRun\` is set to \`false\`.

\`\`\`sh
curl ${localServer}/api/admin/features/checkout/tags -H "Authorization: burgee-demo-key-for-this-machine"
# ${JSON.stringify(answer)}
\`\`\`

The body of an error has an \`id\`, a \`name\` and a \`message\`, and some have a \`code\`, \`details\` or \`undoneBy\`; that of API Gateway itself (an unknown path, throttling) has a \`message\` alone. A body has at most ${limits.bodyBytes / 1024} KiB, ${limits.jsonDepth} levels of nesting, ${limits.jsonValues.toLocaleString("en")} list elements and members, and no Content-Encoding. Values are not converted. Unknown members are refused, except in a patch operation, and unknown query parameters by a request that can write. \`HEAD\` is answered as \`GET\`, without a body; another method of a path is a 405 with \`allow\`.`;

const apiKey = { type: "apiKey", in: "header", name: "Authorization", description: "Or as `Bearer {key}`." };

const comments = Object.assign(
  {},
  ...["functions", "functions/routes"].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readComments(`${folder}/${file}`)),
  ),
);

/** Makes the document as it is committed. Every response in it is recorded, from handlers with this client. */
export async function createDocument(client: Client): Promise<string> {
  const { routes, recorded } = await recordAll(client);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(routes) as [OperationId, Route<never>][]) {
    const operation = documentRoute(id, route, recorded);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  const responses = Object.entries(recorded).map(([name, examples]) => [name, toResponse(name, examples)]);
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Burgee",
      version,
      description: describeApi(recorded.Tags?.["Current tags"]?.body),
      contact: { name: "The maintainers of Burgee" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: localServer, description: "The local server (`npm start`)" },
      {
        url: "https://{api}.execute-api.{region}.amazonaws.com",
        description: "A deployed stage",
        variables: { api: { default: "a1b2c3d4e5" }, region: { default: "us-east-1" } },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      {
        name: "Features",
        description:
          "What a feature is in each environment, its tags and its changes; lists, guards and the documents of SDKs.",
      },
    ],
    paths,
    components: {
      securitySchemes: { apiKey },
      parameters,
      responses: { ...Object.fromEntries(responses), TooManyRequests: tooManyRequests },
      schemas: createSchemas(),
    },
  };
  return `${JSON.stringify(document, contractOnly, 2)}\n`;
}

/** The first paragraph of the route's comment is the summary. */
function documentRoute(operationId: OperationId, route: Route<never>, recorded: Recordings["recorded"]) {
  const { body } = route;
  const [summary = "", ...paragraphs] = (comments[`routes.${operationId}`] ?? "").split("\n\n");
  const succeeding = [responseOf[operationId]].flat().map((name) => [name, successes[name]] as const);
  const own = [...succeeding, ...Object.entries(sharedResponses).filter(([, { isOf }]) => isOf(route))];
  const statuses = own.map(([name]) => [
    statusOf(recorded[name] ?? {}),
    { $ref: `#/components/responses/${name}` },
  ]);
  const requests = Object.assign({}, ...own.map(([name, { cases }]) => requestsOf(cases, recorded[name])));
  return {
    operationId,
    tags: ["Features"],
    summary: summary.replace(/\.$/, ""),
    description: [...paragraphs, requirementOf(route)].join("\n\n"),
    parameters: parametersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(body && !body.isOptional && { requestBody: toRequestBody(body.accepts, requests) }),
    responses: { ...Object.fromEntries(statuses), 429: { $ref: "#/components/responses/TooManyRequests" } },
  };
}

/** Has one media type, as some generated clients cannot choose between two of one schema. */
function toRequestBody([type = "", ...others]: readonly string[], requests: Cases) {
  const content = { [type]: toContent(requests) };
  const description = others.length > 0 ? `Accepted as \`${others.join("`, `")}\` as well.` : undefined;
  return { required: true, description, content };
}

/** Picks the requests that show what a body may be: they succeed, and are not dry runs. */
function requestsOf(cases: Cases, recorded: Examples<Recorded> = {}): Cases {
  const isPlain = ({ at, query }: Cases[string]) => at === undefined && !query?.includes("dryRun");
  if (statusOf(recorded) >= 300) return {};
  return Object.fromEntries(Object.entries(cases).filter(([, request]) => isPlain(request)));
}

/** Leaves out what Zod adds to a schema: the places it is read from, and that JavaScript's integers end somewhere. */
function contractOnly(key: string, value: unknown): unknown {
  const isSafeInteger = Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return isSafeInteger || key === "$id" || key === "$schema" ? undefined : value;
}

function requirementOf({ permission, path }: Route<never>): string {
  const kind = typeof permission === "string" ? permission : "any change";
  return requirements[kind]?.(path) ?? `Requires the permission \`${kind}\` in ${placeOf(path)}.`;
}

/** The sentences for what is more than one permission in the place of the path. */
const requirements: {
  readonly [Kind in PermissionName | "any reader" | "any change"]?: (path: string) => string;
} = {
  "any reader": (path) => {
    const project = projectOf(path);
    return `Requires any permission${project && ` in ${project}`}, except \`CLIENT\` and \`TRIP_GUARD\`.`;
  },
  CLIENT: (path) => `Requires any permission in ${placeOf(path)}, except \`TRIP_GUARD\`.`,
  "any change": (path) => {
    const named = path.endsWith("/undo") ? "what it undoes" : "what its paths name";
    const ofProject = isOfOneEnvironment(path)
      ? ""
      : `\`UPDATE_FEATURE_VARIANTS\` in ${projectOf(path)}, and `;
    return `Requires, by ${named}: for variants ${ofProject}\`UPDATE_FEATURE_ENVIRONMENT_VARIANTS\` in ${environmentsOf(path)}; there too, for \`enabled\` \`UPDATE_FEATURE_ENVIRONMENT\`, for the rest \`UPDATE_FEATURE_STRATEGY\`. All are checked before a write.`;
  },
  UPDATE_FEATURE_ENVIRONMENT: (path) => {
    const checked = isOfOneEnvironment(path) ? "" : "; all are checked before a write";
    return `Requires the permission \`UPDATE_FEATURE_ENVIRONMENT\` in ${environmentsOf(path)}${checked}.`;
  },
  UPDATE_FEATURE_VARIANTS: (path) =>
    `Requires the permission \`UPDATE_FEATURE_VARIANTS\` in ${placeOf(path)}, and \`UPDATE_FEATURE_ENVIRONMENT_VARIANTS\` in ${environmentsOf(path)}; all are checked before a write.`,
};

function isOfOneEnvironment(path: string): boolean {
  return path.includes("{environment}");
}

function environmentsOf(path: string): string {
  return isOfOneEnvironment(path) ? "the environment" : "each environment of the feature";
}

function placeOf(path: string): string {
  return isOfOneEnvironment(path) ? "the environment" : projectOf(path);
}

/** Returns "" if the path has neither a project nor a feature. */
function projectOf(path: string): string {
  if (path.includes("{featureName}")) return "the feature's project";
  return path.includes("{projectId}") ? "the project" : "";
}
