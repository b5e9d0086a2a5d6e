/** A real Alertmanager takes a guarded change back, by the configuration in docs/GUARDS.md, and SDKs see it. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freePort, untilItAnswers } from "../support/listening.ts";
import { demoKey, startUnleash } from "../support/sdks.ts";
import { startServer } from "../support/server.ts";

const program = "prometheus-alertmanager";
const [, receivers = ""] = /```yaml\n(.+?)```/s.exec(readFileSync("docs/GUARDS.md", "utf8")) ?? [];

it("takes a change back within 10 seconds of the alarm, once, and leaves a later one alone", async () => {
  const server = await startServer();
  onTestFinished(() => void server.kill());
  const unleash = await startUnleash(server.url);
  const before = variantsOf(unleash);
  const environment = `${server.url}/api/admin/projects/default/environments/production`;
  const feature = `${server.url}/api/admin/projects/default/features/checkout/environments/production`;
  const change = async (call: "on" | "off", headers = {}) =>
    fetch(`${feature}/${call}`, { method: "POST", headers: { authorization: demoKey, ...headers } });
  const alertmanager = await startAlertmanager(`${environment}/guards/checkout-errors/trip`);

  await change("off", { "burgee-guard": "checkout-errors" });
  await until(() => variantsOf(unleash) !== before);
  const start = performance.now();
  await alertmanager.fire();
  await until(() => variantsOf(unleash) === before);
  const seconds = (performance.now() - start) / 1000;

  // A kill switch after a guarded change: no alarm switches it on again.
  await change("off", { "burgee-guard": "checkout-errors" });
  await change("on");
  await change("off");
  // It repeats the alarm every second.
  await setTimeout(5000);
  const state = await fetch(feature.replace(/\/environments.*/, ""), { headers: { authorization: demoKey } });
  const { environments } = (await state.json()) as {
    environments: { environment: string; enabled: boolean }[];
  };

  expect(seconds).toBeLessThan(10);
  expect(environments.find((one) => one.environment === "production")?.enabled).toBe(false);
  process.stderr.write(`\nfrom the alarm to an SDK that sees it: ${seconds.toFixed(1)} s\n`);
});

type Unleash = Awaited<ReturnType<typeof startUnleash>>;

/** What a hundred users get. */
function variantsOf(unleash: Unleash): string {
  const users = Array.from({ length: 100 }, (_, index) => `user-${index}`);
  return users.map((userId) => unleash.getVariant("checkout", { userId }).name).join();
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > 30_000) throw new Error("it was not seen within 30 seconds");
    await setTimeout(50);
  }
}

async function startAlertmanager(trip: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "burgee-alertmanager-"));
  const key = path.join(folder, "key");
  writeFileSync(key, demoKey);
  const route = "route: { receiver: burgee, group_wait: 0s, group_interval: 1s, repeat_interval: 1s }\n";
  const config = path.join(folder, "alertmanager.yml");
  writeFileSync(config, route + receivers.replace("TRIP", trip).replace("/etc/alertmanager/burgee-key", key));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  onTestFinished(() => void child.kill());
  await untilItAnswers(program, `${url}/-/ready`, () => child.exitCode);
  return {
    async fire() {
      const alerts = [{ labels: { alertname: "CheckoutErrors" } }];
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(`${url}/api/v2/alerts`, {
        method: "POST",
        headers,
        body: JSON.stringify(alerts),
      });
      if (status !== 200) throw new Error(`the alert was answered with ${status}`);
    },
  };
}
