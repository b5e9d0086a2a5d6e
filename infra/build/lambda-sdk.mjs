/**
 * Leaves the parts of the AWS SDK that a Lambda never uses out of the bundles: most of what a cold start would load.
 * test/infra/lambda-sdk.test.ts compares what the client sends and returns with and without them.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Stub
 * @property {string} file  In node_modules.
 * @property {string} why  Why a Lambda never needs it.
 * @property {string | ((source: string) => string)} code  The replacement.
 */

/** The errors of reads, queries and updates of items; all others become their base class. */
const itemErrors = [
  "ConditionalCheckFailedException",
  "InternalServerError",
  "InvalidEndpointException",
  "ItemCollectionSizeLimitExceededException",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "ReplicatedWriteConflictException",
  "RequestLimitExceeded",
  "ResourceNotFoundException",
  "ThrottlingException",
  "TransactionConflictException",
];

const core = "@smithy/core/dist-es/submodules";

/**
 * Removes methods that are never called, which esbuild cannot detect.
 * @param {string[]} names
 * @returns {(source: string) => string}
 */
function withoutMethods(...names) {
  const method = new RegExp(`^    (?:static )?(?:async )?(?:${names.join("|")})\\([^]*?\\n    \\}\\n`, "gm");
  return (source) => source.replaceAll(method, "");
}

/** @type {Stub[]} */
const stubs = [
  {
    file: "@aws-sdk/credential-provider-node/dist-es/index.js",
    why: "Lambda puts the role's credentials in the environment of every Node function (SnapStart, which would not, has no Node): no profile, no SSO, no metadata server.",
    code: 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  },
  {
    file: `${core}/config/node-config-provider/fromSharedConfigFiles.js`,
    why: "There is no ~/.aws in a Lambda: settings come from the environment, or are the defaults.",
    code: `import { ProviderError } from "../property-provider/ProviderError";
      export const fromSharedConfigFiles = () => async () => { throw new ProviderError("there are no files"); };`,
  },
  {
    file: `${core}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    why: "Lambda puts the region in the environment, and has no metadata server to ask for it.",
    code: "export const getInstanceMetadataRegion = async () => undefined;",
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js",
    why: "The client is given no logger. Even its no-op logger receives every value of every call, each looked up in its schema: a good part of the cost of a warm call.",
    code: `export { getLoggerPlugin, none as loggerMiddleware, none as loggerMiddlewareOptions };
      const none = undefined, getLoggerPlugin = () => ({ applyToStack() {} });`,
  },
  {
    file: `${core}/client/middleware-stack/MiddlewareStack.js`,
    why: "For each call it copies and validates every middleware, twice for the document client: a fifth of the SDK's time. This one keeps a list, and sorts it for each call. Unlike the original it has no aliases, and replaces a middleware of the same name even without `override`.",
    code: `const steps = ["initialize", "serialize", "build", "finalizeRequest", "deserialize"];
      const priorities = ["high", "normal", "low"];
      const places = new Map(steps.flatMap((step) => priorities.map((priority) => step + priority)).map((name, place) => [name, place]));
      class Stack {
        constructor(entries) { this.entries = entries; }
        add(middleware, options) { this.entries.push({ ...options, middleware }); }
        addRelativeTo(middleware, options) { this.add(middleware, options); }
        remove(name) { this.entries = this.entries.filter((entry) => entry.name !== name); }
        use(plugin) { plugin.applyToStack(this); }
        concat({ entries }) { return new Stack([...this.entries, ...entries]); }
        identify() { return this.entries.map(({ name }) => String(name)); }
        resolve(handler, context) {
          const absolute = [];
          const relative = new Map();
          const latest = new Map(this.entries.map((entry, index) => [entry.name ?? index, entry]));
          for (const entry of latest.values()) {
            const { toMiddleware, relation, step = "initialize", priority = "normal" } = entry;
            if (toMiddleware) append(relative, relation + toMiddleware, entry);
            else (absolute[places.get(step + priority)] ??= []).push(entry);
          }
          // From the last to the first, as each wraps those after it.
          const wrap = (entry) => {
            relative.get("after" + entry.name)?.forEach(wrap);
            wrapped += 1;
            handler = entry.middleware(handler, context);
            relative.get("before" + entry.name)?.reverse().forEach(wrap);
          };
          let wrapped = 0;
          absolute.flat().reverse().forEach(wrap);
          if (wrapped < latest.size) throw new Error("A middleware is to stand beside one that does not exist");
          return handler;
        }
      }
      const append = (lists, key, entry) => lists.set(key, [...(lists.get(key) ?? []), entry]);
      export const constructStack = () => new Stack([]);`,
  },
  {
    file: `${core}/protocols/HttpBindingNormalizedSchema.js`,
    why: "DynamoDB's protocol has no HTTP bindings: one path, one method, and the whole call in the body.",
    code: `export class HttpBindingNormalizedSchema {}
      export const getHttpOperationBindings = () => [];`,
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js",
    why: "The list of regions adds only their descriptions: a region that is not listed is matched by its partition's pattern.",
    code: (source) => source.replaceAll(/"regions": \{(?:[^{}]|\{[^{}]*\})*\}/g, '"regions": {}'),
  },
  {
    file: "@smithy/signature-v4/dist-es/HeaderFormatter.js",
    why: "It writes headers of signed event streams, which item calls do not use.",
    code: "export class HeaderFormatter {}",
  },
  {
    file: "@aws-sdk/middleware-endpoint-discovery/dist-es/index.js",
    why: "No command of this client installs its middleware; DynamoDB's endpoint follows from the region.",
    code: `export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};
      export const resolveEndpointDiscoveryConfig = (config) => config;`,
  },
  {
    file: `${core}/retry/util-retry/StandardRetryStrategy.js`,
    why: "lib/store/client.ts passes its own retry strategy to the client.",
    code: "export class StandardRetryStrategy {}",
  },
  {
    file: `${core}/retry/util-retry/AdaptiveRetryStrategy.js`,
    why: "As for the standard strategy.",
    code: "export class AdaptiveRetryStrategy {}",
  },
  {
    file: `${core}/checksum/sha256/Sha256Js.js`,
    why: "Lambda's Node has OpenSSL; this is for builds without it.",
    code: "export class Sha256Js {}",
  },
  {
    file: "@aws-sdk/dynamodb-codec/dist-es/codec-v2/DynamoDBJsonCodec2.js",
    why: "It writes and reads JSON by the schema of every member, for types that item calls do not have. Here JSON needs one rule: bytes are base64. No member of a response is called B or BS but those of an attribute's value.",
    code: `import { NormalizedSchema } from "@smithy/core/schema";
      const setSerdeContext = () => {};
      let text;
      const serializer = {
        setSerdeContext,
        write(schema, input) {
          const members = {};
          for (const [name] of NormalizedSchema.of(schema).structIterator()) members[name] = input[name] ?? undefined;
          text = JSON.stringify(members, toText);
        },
        flush: () => text,
      };
      function toText(name, value) {
        const bytes = this[name];
        return bytes instanceof Uint8Array
          ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
          : value;
      }
      const deserializer = {
        setSerdeContext,
        async read(schema, bytes) {
          const value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
          // An error's members are read once its type is known.
          return schema === 15 ? value : toValue(value);
        },
        readObject: (schema, value) => toValue(value),
      };
      const toBytes = (base64) => new Uint8Array(Buffer.from(base64, "base64"));
      function toValue(value) {
        if (typeof value !== "object" || value === null) return value;
        if (typeof value.B === "string") value.B = toBytes(value.B);
        else if (Array.isArray(value.BS)) value.BS = value.BS.map(toBytes);
        else for (const name in value) toValue(value[name]);
        return value;
      }
      export class DynamoDBJsonCodec2 {
        setSerdeContext() {}
        createSerializer() { return serializer; }
        createDeserializer() { return deserializer; }
      }`,
  },
  {
    file: `${core}/protocols/json/codec-v2/JsonCodec2.js`,
    why: "For clients without a codec of their own.",
    code: "export class JsonCodec2 {}",
  },
  {
    file: `${core}/serde/util-stream/stream-collector.js`,
    why: "The body of a response is a stream of Node, neither a blob nor a stream of the web.",
    code: `export const streamCollector = (stream) => new Promise((resolve, reject) => {
        const chunks = [];
        stream.on("data", (chunk) => chunks.push(chunk));
        stream.on("end", () => resolve(Buffer.concat(chunks)));
        stream.on("error", reject);
      });`,
  },
  {
    file: `${core}/retry/middleware-retry/parseRetryAfterHeader.js`,
    why: "lib/store/session.ts retries, and does not read this hint.",
    code: `export { none as parseRetryAfterHeader, none as getRetryAfterHint };
      const none = () => undefined;`,
  },
  {
    file: `${core}/protocols/HttpProtocol.js`,
    why: "For streams of events, for bodies bound to HTTP, and for protocols whose errors are resolved otherwise.",
    code: withoutMethods(
      "resolveError",
      "loadEventStreamCapability",
      "getDefaultContentType",
      "deserializeHttpMessage",
      "getEventStreamMarshaller",
      "resolveEventStreamMarshaller",
    ),
  },
  {
    file: "@smithy/signature-v4/dist-es/SignatureV4.js",
    why: "Only requests are signed: no addresses, events, messages or texts.",
    code: withoutMethods("presign", "signEvent", "signMessage", "signString"),
  },
  {
    file: "@aws/lambda-invoke-store/dist-es/invoke-store.js",
    why: "Lambda's runtime provides the store that holds the trace of an invocation; where it does not, the trace is in the environment.",
    code: "export const InvokeStore = { getInstanceAsync: async () => globalThis.awslambda?.InvokeStore };",
  },
  {
    file: "@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js",
    why: "The deployment sets the version of Node; a warning in the log would change nothing.",
    code: "export const state = {}, emitWarningIfUnsupportedVersion = () => {};",
  },
  {
    file: "@aws-sdk/lib-dynamodb/dist-es/pagination/index.js",
    why: "lib/store paginates itself.",
    code: "export {};",
  },
  {
    file: "@aws-sdk/client-dynamodb/package.json",
    why: "The client reads only its version.",
    code: (source) => `export default { version: ${JSON.stringify(JSON.parse(source).version)} };`,
  },
  {
    file: "@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js",
    why: "These are the errors of backups, exports and tables, which no function touches.",
    code: (source) =>
      source.replaceAll(
        /^export var (\w+)\$ = [^;]*;\nn0_registry\.registerError\(\1\$, \1\);$/gm,
        (declaration, name) => (itemErrors.includes(name) ? declaration : ""),
      ),
  },
];

/** Fails the build if the file of a stub is missing, or if a stub changes nothing: it no longer fits this SDK. */
export const lambdaSdk = {
  name: "lambda-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    const used = new Set();
    for (const stub of stubs) {
      const filter = new RegExp(`/node_modules/${stub.file.replaceAll(".", "\\.")}$`);
      build.onLoad({ filter }, ({ path: file }) => {
        const source = readFileSync(file, "utf8");
        const contents = typeof stub.code === "string" ? stub.code : stub.code(source);
        if (contents !== source) used.add(stub);
        return { contents, loader: "js", resolveDir: path.dirname(file) };
      });
    }
    build.onEnd(() => {
      const unused = stubs.filter((stub) => !used.has(stub));
      return { errors: unused.map(({ file }) => ({ text: `nothing to leave out in ${file}` })) };
    });
  },
};
