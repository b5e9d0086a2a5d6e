/** What the deployments need beyond `npm ci`: the copies of the sources that are deployed share it. */
export { fetchFramework as default } from "../../infra/deploy/framework.ts";
