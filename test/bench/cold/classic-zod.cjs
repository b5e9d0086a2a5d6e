/** What the sources take from zod/mini, from the classic build: it has all of it, some under another name. */
// biome-ignore lint/style/noRestrictedImports: the classic build is what is compared with.
const zod = require("zod");
module.exports = { ...zod, ZodMiniArray: zod.ZodArray, ZodMiniObject: zod.ZodObject };
