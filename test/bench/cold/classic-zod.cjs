/** Exports from Zod's classic build what the sources import from zod/mini, some of it under another name. */
// biome-ignore lint/style/noRestrictedImports: the classic build is what is compared with.
const zod = require("zod");
module.exports = { ...zod, ZodMiniArray: zod.ZodArray, ZodMiniObject: zod.ZodObject };
