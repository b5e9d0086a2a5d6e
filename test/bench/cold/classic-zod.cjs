/** Exports from Zod's classic build what the sources import from zod/mini, some of it in another form. */
// biome-ignore lint/style/noRestrictedImports: the classic build is what is compared with.
const zod = require("zod");
const catchall = (object, rest) => object.catchall(rest);
module.exports = { ...zod, ZodMiniArray: zod.ZodArray, catchall };
