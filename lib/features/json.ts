/** What a JSON document is made of. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export type Container = Json[] | { [member: string]: Json };

export function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}
