import { describe, expect, it } from "vitest";
import { naming, patchedTo, refused, tagged } from "../../support/answers.ts";
import { useBurgee } from "../../support/burgee.ts";
import { addFeature } from "../../support/seed.ts";

const burgee = useBurgee();

describe("a body of 262,144 bytes (256 KiB) is accepted, and of one more refused with 413 PayloadTooLarge that names the limit", () => {
  const update = '{"addedTags":[],"removedTags":[]}';
  const padded = (text: string, bytes: number) => text + " ".repeat(bytes - Buffer.byteLength(text));
  const refusal = () => refused(413, "PayloadTooLarge", { message: naming("256 KiB") });

  it.each([
    ["sent as text", (text: string): string | Uint8Array => text],
    ["sent in base64", (text: string): string | Uint8Array => new Uint8Array(Buffer.from(text))],
  ])("%s", async (_, encode) => {
    const feature = await addFeature(burgee);
    const send = async (bytes: number) => [
      await burgee.putTags(feature, undefined, { body: encode(padded(update, bytes)) }),
      await burgee.patch(feature, undefined, { body: encode(padded("[]", bytes)) }),
    ];

    const largest = await send(262_144);
    const tooLarge = await send(262_145);

    expect(largest).toEqual([tagged(feature, []), patchedTo([])]);
    expect(tooLarge).toEqual([refusal(), refusal()]);
  });

  it("and bytes are counted, not characters", async () => {
    const body = `"${"é".repeat(131_072)}"`;

    const answers = [
      await burgee.putTags("any", undefined, { body }),
      await burgee.patch("any", undefined, { body }),
    ];

    expect(answers).toEqual([refusal(), refusal()]);
  });
});
