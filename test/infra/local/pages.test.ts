/** The pages of the local server, without a browser; test/browser has one. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, startServer } from "../../support/server.ts";

let server: LocalServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.kill());

/** `fetch` would fold the path, and sets its own Host. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request(server.url, { path, method, headers }).end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  const body = (await answer?.toArray())?.join("") ?? "";
  return { status: answer?.statusCode, type: answer?.headers["content-type"], body };
}

const notFound = { status: 404, type: "application/json", body: '{"message":"Not Found"}' };

describe("the reference page", () => {
  it("is at the root, with the demo key filled in", async () => {
    const page = await get("/");

    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page.body).toContain('data-key="burgee-demo-key-for-this-machine"');
  });

  it("asks for nothing but what this server has", async () => {
    const { body } = await get("/");
    const wanted = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = ""]) => url);

    expect(wanted.length).toBeGreaterThan(3);
    for (const url of wanted) expect(await get(url)).toMatchObject({ status: 200 });
  });

  it("does not tell the keys of a state of one's own", async () => {
    const other = await startServer("--state", "infra/demo.json");

    const body = await (await fetch(other.url)).text();

    await other.kill();
    expect(body).toContain('data-key=""');
  });
});

describe("/openapi.json", () => {
  it("is the document, with this server in it by the name that the caller used", async () => {
    const document = JSON.parse((await get("/openapi.json")).body);
    const named = JSON.parse((await get("/openapi.json", { host: "localhost:8080" })).body);

    expect(document).toMatchObject({ openapi: "3.1.1", servers: [{ url: server.url }] });
    expect(named.servers).toEqual([{ url: "http://localhost:8080", description: "This server" }]);
  });

  it("has no body when it is asked for by HEAD", async () => {
    expect(await get("/openapi.json", {}, "HEAD")).toEqual({
      status: 200,
      type: "application/json",
      body: "",
    });
  });
});

describe("everything else is left to the gateway", () => {
  it.each(["/reference", "/reference/", "/reference/index.html", "/reference/../package.json", "//"])(
    "%s is not found",
    async (path) => {
      expect(await get(path)).toEqual(notFound);
    },
  );

  it.each(["POST", "PUT", "DELETE"])("%s of a page is not found", async (method) => {
    expect(await get("/", {}, method)).toEqual(notFound);
  });
});
