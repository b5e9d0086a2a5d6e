/** Starts Debian's nginx with the relay's configuration, before Burgee. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

const template = "infra/examples/relay/default.conf.template";

/** Returns the address of the relay, which keeps documents for these seconds. It stops with the test. */
export async function startRelay(burgee: string, seconds = 4): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "relay-"));
  const port = await freePort();
  const values: Record<string, string> = { BURGEE: burgee, NGINX_LOCAL_RESOLVERS: "127.0.0.1" };
  const site = readFileSync(template, "utf8")
    .replace(/\$\{(\w+)\}/g, (_, name) => values[name] ?? "")
    .replaceAll("/var/cache/burgee", `${folder}/cache`)
    .replace("valid 200 4s", `valid 200 ${seconds}s`)
    .replace("listen 8080", `listen 127.0.0.1:${port}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
    mkdirSync(path.join(folder, name));
    return `${name}_temp_path ${folder}/${name};`;
  });
  const configuration = `daemon off; pid ${folder}/pid; error_log stderr warn;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 4096; }
http { access_log off; ${temporary.join(" ")}
${site}}`;
  writeFileSync(path.join(folder, "nginx.conf"), configuration);
  // Debian's /usr/sbin is not in the path of each user.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const nginx = spawn("nginx", ["-e", "stderr", "-c", path.join(folder, "nginx.conf")], { env });
  const errors: string[] = [];
  nginx.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const ended = once(nginx, "exit").then(() => Promise.reject(new Error(`nginx ended: ${errors.join("")}`)));
  ended.catch(() => {});
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await ended.catch(() => {});
  });
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => {
    while (!(await fetch(url).catch(() => undefined))) await setTimeout(20);
  };
  await Promise.race([ready(), ended]);
  return url;
}

export interface Origin {
  url: string;
  /** The paths and statuses of what the relay has asked. */
  asked: string[];
  /** `refuses` closes connections, as a network does; a number is the status of each response. */
  state: "works" | "refuses" | number;
}

/** Counts what reaches Burgee, and can be away. */
export async function startOrigin(burgee: string): Promise<Origin> {
  const origin: Origin = { url: "", asked: [], state: "works" };
  const server = createServer((incoming, outgoing) => {
    const { url: path = "", method, headers } = incoming;
    if (origin.state === "refuses") return void incoming.socket.destroy();
    if (origin.state !== "works") return void outgoing.writeHead(origin.state).end();
    const passed = request(`${burgee}${path}`, { method, headers }, (answer) => {
      origin.asked.push(`${answer.statusCode} ${path}`);
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  origin.url = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return origin;
}

export async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await once(server.close(), "close");
  return Number(port);
}
