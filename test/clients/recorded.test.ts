/** The clients that openapi-generator makes for Java and for TypeScript with axios read every response that is recorded. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { fetchPackages, fetchPython } from "../../infra/build/fetch.mjs";
import packageJson from "../../package.json" with { type: "json" };
import { listen } from "../support/listening.ts";
import { runProgram } from "../support/program.ts";
import { type Call, calls } from "./calls.ts";

const typescript = `typescript@${packageJson.devDependencies.typescript}`;
const modules = fetchPackages("clients-node", ["axios@1.13.2", typescript, "@types/node@20.19.43"]);
const programs = fetchPython("openapi-generator", "test/clients/requirements.txt");
let url = "";

/** Responds with the recorded response whose number a header has. */
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    // Java's client fails now and then at its next request if a response arrives before it has sent the body.
    await buffer(request);
    const { status, recorded } = calls[Number(request.headers["burgee-recorded"])] ?? { status: 500 };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(recorded));
  });
  url = `http://127.0.0.1:${await listen(server)}`;
  return () => void server.close();
});

const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text));

/** Each prints a line with what the client has read, for each call. */
const clients = [
  {
    generator: "typescript-axios",
    options: [],
    source: "read.ts",
    toSource: (lines: string) => `import { Configuration, FeaturesApi } from "./index";
const at = (index: number) => new FeaturesApi(new Configuration({
  basePath: process.env.BURGEE_URL, baseOptions: { headers: { "burgee-recorded": String(index) } },
}));
async function main() {
${lines}
}
void main();
`,
    toLine({ operation, path, body }: Call, index: number) {
      const named = `{ name: "any" }`;
      const empty = {
        list: "[]",
        tags: "{ addedTags: [], removedTags: [] }",
        feature: named,
        strategy: named,
      };
      const given = [...quoted(path), ...(body ? [empty[body]] : [])].join(", ");
      return `  console.log(JSON.stringify((await at(${index}).${operation}(${given})).data));`;
    },
    build: `ln -sfn "${modules}" node_modules
echo '{ "type": "commonjs" }' > package.json
node node_modules/typescript/bin/tsc --ignoreConfig --outDir built --module commonjs --target es2022 --skipLibCheck \
  --strict --lib es2022,dom --types node --ignoreDeprecations 6.0 --rootDir . read.ts`,
    start: "node built/read.js",
  },
  {
    generator: "java",
    options: ["--library", "native", "-p", "containerDefaultToNull=true"],
    source: "src/main/java/Read.java",
    toSource: (lines: string) => `import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.FeaturesApi;
import org.openapitools.client.model.CreateFeatureSchema;
import org.openapitools.client.model.SentStrategySchema;
import org.openapitools.client.model.UpdateTagsSchema;

public class Read {
  static final ApiClient client = new ApiClient();

  static Map<String, String> at(int index) { return Map.of("burgee-recorded", String.valueOf(index)); }

  static void show(Object read) throws Exception {
    System.out.println(client.getObjectMapper().writeValueAsString(read));
  }

  public static void main(String[] given) throws Exception {
    client.updateBaseUri(System.getenv("BURGEE_URL"));
    FeaturesApi api = new FeaturesApi(client);
${lines}
  }
}
`,
    toLine({ operation, path, body, options }: Call, index: number) {
      const empty = {
        list: "List.of()",
        tags: "new UpdateTagsSchema().addedTags(List.of()).removedTags(List.of())",
        feature: 'new CreateFeatureSchema().name("any")',
        strategy: 'new SentStrategySchema().name("any")',
      };
      const absent = Array<string>(options).fill("null");
      const given = [...quoted(path), ...(body ? [empty[body]] : []), ...absent, `at(${index})`].join(", ");
      return `    show(api.${operation}(${given}));`;
    },
    build: `mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath.txt
mkdir -p built && javac -nowarn -d built -cp $(cat classpath.txt) $(find src/main -name '*.java')`,
    start: "java -cp built:$(cat classpath.txt) Read",
    // Of a body that is a strategy or, in a dry run, what would become of it, Java's client reads nothing.
    unread: ["addFeatureStrategy", "updateFeatureStrategy", "patchFeatureStrategy"],
  },
];

it.each(clients)(
  "$generator",
  async ({ generator, options, source, toSource, toLine, build, start, unread = [] }) => {
    const cwd = path.resolve(".cache/clients", generator);
    rmSync(cwd, { recursive: true, force: true });
    const none = ["apiTests", "modelTests", "apiDocs", "modelDocs"].map((name) => `${name}=false`).join();
    const input = ["-i", "infra/reference/openapi.json", "-o", cwd, "--global-property", none];
    const cli = path.join(programs, "openapi-generator-cli");
    expect(await runProgram(cli, ["generate", "-g", generator, ...options, ...input])).toMatchObject({
      code: 0,
    });
    const file = path.join(cwd, source);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, toSource(calls.map(toLine).join("\n")));
    const built = await runProgram("bash", ["-ec", build], { cwd });
    expect(built.code, built.out + built.err).toBe(0);

    const env = { ...process.env, BURGEE_URL: url };
    const { code, out, err } = await runProgram("bash", ["-c", start], { cwd, env });

    expect(code, err).toBe(0);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line, withoutNulls))
        .filter((_, index) => !unread.includes(calls[index]?.operation ?? "")),
    ).toEqual(
      calls
        .filter(({ operation }) => !unread.includes(operation))
        .map(({ recorded }) => JSON.parse(JSON.stringify(recorded), withoutNulls)),
    );
  },
  600_000,
);

/** Java's client writes a null for a value that was absent, so the two look the same. */
function withoutNulls(_: string, value: unknown): unknown {
  return value ?? undefined;
}
