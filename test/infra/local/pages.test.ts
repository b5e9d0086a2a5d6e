/** The pages of the local server, without a browser; test/browser has one. */
import { expect, it } from "vitest";
import { readPatchPage } from "../../../lib/http/patch-page.ts";
import { sendRaw, startServer, useServer } from "../../support/server.ts";

const { url } = await useServer();

async function get(path: string, method = "GET", headers: Record<string, string> = {}) {
  const { status, headers: received, text } = await sendRaw(url, { path, method, headers });
  return { status, type: received["content-type"], text };
}

it("the reference page has no key of a state of one's own", async () => {
  const other = await startServer("--state", "infra/demo.json");

  expect((await sendRaw(other.url)).text).toContain('data-key=""');
  await other.kill();
});

it("/openapi.json is the document, with this server in it by the name that the caller used; HEAD has no body", async () => {
  const { text, ...head } = await get("/openapi.json");
  const named = JSON.parse((await get("/openapi.json", "GET", { host: "localhost:8080" })).text);

  expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.1", servers: [{ url }] });
  expect(named.servers).toMatchObject([{ url: "http://localhost:8080" }]);
  for (const host of [`a"b.localhost`, "$'.localhost"]) {
    const { servers } = JSON.parse((await get("/openapi.json", "GET", { host })).text);
    expect(servers).toMatchObject([{ url: `http://${host}` }]);
  }
  expect(await get(`${url}/openapi.json`)).toMatchObject(head);
  expect(head).toEqual({ status: 200, type: "application/json" });
  expect(await get("/openapi.json", "HEAD")).toEqual({ ...head, text: "" });
});

it("the patch page is the file that the function serves, with the key of the demo", async () => {
  const { text, headers } = await sendRaw(url, { path: "/patch" });
  const { html, headers: expected } = readPatchPage("dist/patch-page.html");

  expect(text).toBe(html.replace("<body", '<body data-key="burgee-demo-key-for-this-machine"'));
  expect(headers).toMatchObject(expected);
});

it.each([
  ...["/reference", "/reference/", "/reference/index.html", "/reference/../package.json", "//"],
  ...["POST /", "PUT /", "DELETE /"],
])("everything else is left to the gateway: %s is not found", async (request) => {
  const [path = "", method] = request.split(" ").toReversed();
  const notFound = { status: 404, type: "application/json", text: '{"message":"Not Found"}' };

  expect(await get(path, method)).toEqual(notFound);
});
