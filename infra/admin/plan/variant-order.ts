/** Orders members as people write them; DynamoDB returns them in any order. */

const ofVariant = ["name", "weight", "weightType", "stickiness", "payload", "type", "value"];
const ofOverride = ["overrides", "contextName", "values"];
const ofPermit = ["permission", "project", "environment"];
const members = [...ofVariant, ...ofOverride, ...ofPermit];

/** For variants and permissions, which have no other members. */
export function inOrder<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, members));
}
