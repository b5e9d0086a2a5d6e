/** The OpenAPI document: the routes, the texts about them, and responses recorded from the handlers. */
import { limits } from "../../lib/contract/limits.ts";
import { version } from "../../package.json";
import { casesOf, type Operation } from "./operation.ts";
import { parameters, parametersOf } from "./parameters.ts";
import { openRecorder, type Recorded, type Recorder, type RouteFacts } from "./record.ts";
import { type Content, type Example, type Response, toContent, toResponse } from "./responses.ts";
import { createSchemas, nameOf, type Reference } from "./schemas.ts";
import { tags } from "./tags.ts";
import { variants } from "./variants.ts";

export interface Server {
  url: string;
  description?: string;
  variables?: Readonly<Record<string, { default: string; description: string }>>;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Reference[];
  requestBody?: { required: true; content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, Response>>;
}

export type Document = Awaited<ReturnType<typeof createDocument>>;

const description = `Every error has a body of \`errorSchema\`; its \`id\` is in the log line of the request. A request without a valid key gets a 401 before anything else is checked, one without the permission a 403 before its body is parsed.

A body has at most ${limits.bodyBytes / 1024} KiB, ${limits.jsonDepth} levels of nesting and no Content-Encoding. Values are not converted: the text "100" is not a number. Unknown members are refused, except in a patch operation.

Responses of API Gateway itself (an unknown path, throttling) have a body of \`{ "message" }\` alone.`;

const servers: Server[] = [
  { url: "http://127.0.0.1:3000", description: "The local server (`npm start`)" },
  {
    url: "https://{api}.execute-api.{region}.amazonaws.com",
    description: "A deployed stage",
    variables: {
      api: { default: "a1b2c3d4e5", description: "The id of the HTTP API" },
      region: { default: "eu-central-1", description: "Its region" },
    },
  },
];

const operations: Readonly<Record<string, Operation>> = { ...tags, ...variants };

/** Every response in it is recorded, from handlers on this engine. */
export async function createDocument(engine: string) {
  const recorder = await openRecorder(engine);
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const route of recorder.routes) {
    const documented = { [route.method.toLowerCase()]: await documentRoute(recorder, route) };
    paths[route.path] = { ...paths[route.path], ...documented };
  }
  recorder.close();
  return {
    openapi: "3.1.1",
    info: {
      title: "Burgee",
      version,
      summary:
        "Tags and variants of a feature-flag service's admin API, in the formats that Unleash introduced.",
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers,
    security: [{ apiKey: [] }],
    tags: [{ name: "Features", description: "Tags and variants of a feature." }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          ...{ type: "apiKey", in: "header", name: "Authorization" },
          description: "The API key, with or without `Bearer` before it.",
        },
      },
      parameters,
      schemas: createSchemas(),
    },
  };
}

/** As it is committed. */
export function render(document: Document): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function documentRoute(recorder: Recorder, route: RouteFacts): Promise<DocumentedOperation> {
  const { method, path, body } = route;
  const key = `${method} ${path.split("{featureName}")[1]}`;
  const operation = operations[key];
  if (!operation) throw new Error(`infra/reference has no text for ${key}`);
  const { id, summary, description, schemas } = operation;
  const cases = casesOf(route, operation);
  const byStatus: Record<string, (Example & Recorded)[]> = {};
  for (const [status, summary, request] of cases) {
    const recorded = await recorder.record(route, request);
    if (String(recorded.status) !== status) {
      throw new Error(`${key}, "${summary}": expected ${status}, got ${JSON.stringify(recorded)}`);
    }
    byStatus[status] = [...(byStatus[status] ?? []), { summary, ...recorded }];
  }
  const responses = Object.entries(byStatus).map(([status, examples]) => [
    status,
    toResponse(examples, schemas),
  ]);
  const content = body && toContent([nameOf(body.schema)], requestsOf(cases));
  return {
    ...{ operationId: id, tags: ["Features"], summary },
    description: description.join("\n\n"),
    parameters: parametersOf(route),
    ...(content && {
      requestBody: {
        required: true,
        content: Object.fromEntries(body.accepts.map((mediaType) => [mediaType, content])),
      },
    }),
    responses: Object.fromEntries(responses),
  };
}

/** The bodies of successful requests that are not dry runs. */
function requestsOf(cases: ReturnType<typeof casesOf>): Example[] {
  return cases
    .filter(([status, , { query = "" }]) => status < "300" && !query.includes("dryRun"))
    .map(([, summary, { json }]) => ({ summary, body: json }));
}
