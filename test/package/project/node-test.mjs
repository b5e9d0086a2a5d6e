import { equal } from "node:assert/strict";
import { after, test } from "node:test";
import { startBurgee } from "burgee/local";

const { url, keys, stop } = await startBurgee();
after(stop);

test("a tag list", async () => {
  const headers = { authorization: keys.demo };
  equal((await fetch(`${url}/api/admin/features/checkout/tags`, { headers })).status, 200);
});
