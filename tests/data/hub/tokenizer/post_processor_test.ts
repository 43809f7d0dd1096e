import assert from "node:assert/strict";
import { frameOf } from "../../../../data/hub/tokenizer/post_processor.ts";

const template = (...items: unknown[]) => ({
  type: "TemplateProcessing",
  single: items,
  special_tokens: { "<s>": { ids: [1] }, "</s>": { ids: [2, 3] } },
});
const TEXT = { Sequence: { id: "A", type_id: 0 } }, token = (id: string) => ({ SpecialToken: { id, type_id: 0 } });

Deno.test("frameOf() tells what stands before and behind a text", () => {
  assert.deepEqual(frameOf(template(token("<s>"), TEXT, token("</s>"))), { before: [1], after: [2, 3] });
  const nested = { type: "Sequence", processors: [{ type: "ByteLevel" }, template(token("<s>"), TEXT)] };
  assert.deepEqual(frameOf(nested), { before: [1], after: [] });
  assert.deepEqual(frameOf({ type: "BertProcessing", cls: ["c", 7], sep: ["s", 8] }), { before: [7], after: [8] });
  assert.deepEqual(frameOf(null), { before: [], after: [] });
  assert.throws(() => frameOf(template(token("<s>"))), /post_processor\.single has no Sequence/);
  assert.throws(() => frameOf({ type: "RobertaProcessing" }), /without its token and id/);
});
