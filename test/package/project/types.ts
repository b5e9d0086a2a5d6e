/** What type-checks in a strict project and what does not, without the types of Node or Zod. */
import { type State, startBurgee } from "burgee/local";

const projects = [{ id: "mine", environments: ["live"] }];
const apiKeys = [
  { name: "ci", key: "a long enough key of ours", permissions: [{ permission: "ADMIN" }] },
] as const;

export async function use(given: State): Promise<string[]> {
  const demo = await startBurgee();
  const own = await startBurgee({ state: { projects, apiKeys }, log: (line) => line.length });
  const loaded = await startBurgee({ state: given });
  const { statusCode, body } = await own.invoke("tags", { routeKey: "$default" });
  await own.reset({
    features: [{ name: "banner", project: "mine", environments: { live: { variants: [] } } }],
  });
  await own.stop();
  const key: string | undefined = loaded.keys.any;
  // @ts-expect-error the state has no key of this name
  own.keys.demo;
  // @ts-expect-error there is no such function
  await own.invoke("flags", {});
  // @ts-expect-error there is no such permission
  await own.reset({ apiKeys: [{ name: "a", permissions: [{ permission: "ROOT" }] }] });
  return [demo.url, demo.keys.demo, own.keys.ci, String(statusCode), body ?? "", key ?? ""];
}
