/** The function `read`, which writes nothing: lists, the documents of SDKs, what SDKs send, and the page /patch. */
import type { Features, FeatureWithEnvironments, Projects } from "../lib/contract/responses/lists.ts";
import type { VariantForm } from "../lib/contract/variants.ts";
import type { FormatName } from "../lib/documents/sdk-document.ts";
import { createDocumentCache, type DocumentCache, readDocument } from "../lib/documents/sdk-document.ts";
import { formMember } from "../lib/features/bodies.ts";
import { etagOfText } from "../lib/features/etags.ts";
import { listFeatures, listProjects, listWithEnvironments } from "../lib/features/lists/list-features.ts";
import { variantsInForm } from "../lib/features/patch/variant-list.ts";
import { createHandler, type OpenHandler } from "../lib/http/handler.ts";
import { createPatchPage } from "../lib/http/patch-page.ts";
import { type Answer, type RouteRequest, route } from "../lib/http/route.ts";
import { prepareInvocations, secondsIn } from "../lib/service.ts";
import { createReadStore, type ReadStore } from "../lib/store/read-store.ts";
import { featuresPath, type ProjectParameters } from "./routes/paths.ts";

interface DocumentParameters extends ProjectParameters {
  environment: string;
}

type DocumentStore = ReadStore & { documents: DocumentCache };

const documentsPath = "/api/projects/{projectId}/environments/{environment}";

const listProjectsRoute = route({
  method: "GET",
  path: "/api/admin/projects",
  permission: "any reader",
  async run({ store, caller }: RouteRequest<ReadStore, unknown, unknown>): Promise<Answer> {
    const projects = await listProjects(store, caller);
    return listAnswer({ version: 1, projects } satisfies Projects, "use a key that may read fewer projects");
  },
});

const listFeaturesRoute = route({
  method: "GET",
  path: featuresPath,
  otherMethods: ["POST"],
  permission: "any reader",
  options: ["limit", "after", "with", "form"],
  async run({
    parameters,
    options,
    store,
  }: RouteRequest<
    ReadStore,
    ProjectParameters,
    unknown,
    "limit" | "after" | "with" | "form"
  >): Promise<Answer> {
    const { with: included, limit, after } = options;
    const range = { limit, after };
    const adviceIfTooLarge = "give a smaller limit";
    if (included === undefined) {
      const page = await listFeatures(store, parameters.projectId, range);
      return listAnswer({ version: 1, ...page } satisfies Features, adviceIfTooLarge);
    }
    const page = await listWithEnvironments(store, parameters.projectId, range);
    const features = page.features.map((feature) => withVariantsInForm(feature, options.form));
    return listAnswer(
      { version: 1, with: included, ...formMember(options.form), ...page, features },
      adviceIfTooLarge,
    );
  },
});

function withVariantsInForm({ environments, ...feature }: FeatureWithEnvironments, form: VariantForm) {
  const shown = environments.map(({ variants, ...environment }) => ({
    ...environment,
    variants: variantsInForm(variants, form),
  }));
  return { ...feature, environments: shown };
}

function listAnswer(body: object, adviceIfTooLarge: string): Answer {
  return { status: 200, etag: etagOfText(JSON.stringify(body)), body, adviceIfTooLarge };
}

function documentRoute(format: FormatName) {
  return {
    method: "GET",
    permission: "CLIENT",
    options: ["acceptsGzip"],
    async run({
      parameters,
      options,
      store,
    }: RouteRequest<DocumentStore, DocumentParameters, unknown, "acceptsGzip">): Promise<Answer> {
      const { projectId: project, environment } = parameters;
      const document = await readDocument(store, { format, project, environment }, store.documents);
      const { etag, json, gzip, omissionCount, stale } = document;
      const isCompressed = options.acceptsGzip;
      return {
        status: 200,
        // Each coding is a representation of its own (RFC 9110 section 8.8.3.3).
        etag: isCompressed ? `${etag}-gzip` : etag,
        headers: {
          // A shared cache may store the document, and validates it for each request unless a rule of its own sets a
          // time (RFC 9111 section 3.5). `vary` makes it store one for each API key, because only Burgee can authorise
          // a key.
          "cache-control": "no-cache, must-revalidate",
          vary: "authorization, accept-encoding",
          ...(omissionCount > 0 && { "burgee-left-out": String(omissionCount) }),
          // RFC 9111 section 5.1.
          ...(stale && { age: String(stale.seconds) }),
        },
        rawBody: isCompressed ? gzip : json,
        adviceIfTooLarge: `${isCompressed ? "" : "accept gzip, or "}divide the features over more projects`,
        log: { ...(omissionCount > 0 && { omissions: omissionCount }), ...(stale && { stale }) },
      };
    },
  } as const;
}

/**
 * Accepts the registrations and metrics of Unleash's SDKs from a key that may load the document, and drops them.
 * They are not in `routes`, from which the OpenAPI document is made.
 */
const sdkReportRoutes = ["register", "metrics"].map((name) =>
  route({
    method: "POST",
    path: `${documentsPath}/client/${name}`,
    permission: "CLIENT",
    run: async (_: RouteRequest<ReadStore, DocumentParameters, unknown>): Promise<Answer> => ({
      status: 202,
    }),
  }),
);

export const routes = {
  /** List the projects that the key may read. */
  listProjects: listProjectsRoute,

  /**
   * List the features of a project, with their tags and environments, in order of name.
   *
   * If there are more, the list has `next`: send it as `after`. The list is read from an index that lags behind by a
   * moment.
   */
  listFeatures: listFeaturesRoute,

  /**
   * Load the features of an environment as Unleash's SDKs do.
   *
   * Configure an SDK with this path without `/client/features` as its `url`, and with the API key as its token.
   */
  getClientFeatures: route({ ...documentRoute("unleash"), path: `${documentsPath}/client/features` }),

  /** Load the features of an environment as flagd does. */
  getFlagdDocument: route({ ...documentRoute("flagd"), path: `${documentsPath}/flagd.json` }),
};

export const open: OpenHandler = (settings, options) => {
  const documents = createDocumentCache(secondsIn(settings, "DOCUMENT_CACHE_SECONDS", 5));
  const openInvocation = prepareInvocations(
    (session) => ({ ...createReadStore(session), documents }),
    settings,
    options,
  );
  const pages =
    options?.folder === undefined ? [] : [createPatchPage(options.folder, settings.AWS_LAMBDA_FUNCTION_NAME)];
  return createHandler(openInvocation, [...Object.values(routes), ...sdkReportRoutes, ...pages]);
};
