/** Exports from Zod's classic build what the sources import from zod/mini, some of it in another form. */
// biome-ignore lint/style/noRestrictedImports: the classic build is what is compared with.
const zod = require("zod");
/** @type {(object: import("zod").ZodObject, rest: import("zod").ZodType) => unknown} */
const catchall = (object, rest) => object.catchall(rest);
/** @type {(object: import("zod").ZodObject, members: Record<string, true>) => unknown} */
const omit = (object, members) => object.omit(members);
module.exports = {
  ...zod,
  ZodMiniArray: zod.ZodArray,
  catchall,
  omit,
  minimum: zod.gte,
  maximum: zod.lte,
};
