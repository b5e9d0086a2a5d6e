/** Fetches what deployments need beyond `npm ci`; the copies of the sources share it. */
export { fetchFramework as default } from "../../infra/deploy/framework.ts";
