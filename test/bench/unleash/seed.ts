/** Creates the features of the bench through Unleash's own API. */
import { features, richFeatures, type Target } from "../load/target.ts";
import { stateWith } from "../requests.ts";

const environments = ["development", "production"];

/** As `stateWith` has them: two environments of three variants, and one tag. */
export async function seed({ url, authorization, projectOf }: Target): Promise<void> {
  const call = async (method: string, path: string, json: unknown) => {
    const headers = { authorization, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(json) });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  for (const name of [...features, ...richFeatures]) {
    const [feature] = stateWith({ name, isRich: richFeatures.includes(name) }).features;
    const [of] = Object.values(feature?.environments ?? {});
    const inProject = `/api/admin/projects/${projectOf(name)}/features`;
    await call("POST", inProject, { name, type: "release" });
    for (const environment of environments)
      await call("PUT", `${inProject}/${name}/environments/${environment}/variants`, of?.variants);
    for (const tag of feature?.tags ?? []) await call("POST", `/api/admin/features/${name}/tags`, tag);
  }
}
