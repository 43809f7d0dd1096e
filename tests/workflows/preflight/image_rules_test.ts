/** The rule on prompts with images: what it must speak of, and the look-alikes at which it is silent. */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { testRules } from "./rule_cases.ts";

const VISUAL = fromFileUrl(new URL("../../models/qwen2_vl", import.meta.url));
const PICTURES = { file: "pictures.jsonl", verifier: "exact" };

testRules(["images"], [
  {
    rule: "images",
    what: "prompts with images for a model of words alone",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES, model: { model: "dropping" } },
    says: /^the prompts have images and the model reads words alone, want one with a vision tower/,
    at: "dropping",
    silent: { prompts: PICTURES, model: { model: VISUAL } },
  },
  {
    rule: "images",
    what: "the same of a preset without a chat template, which is told besides",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES },
    says: /^the prompts have images/,
    silent: { prompts: { ...PICTURES, image_column: [] } },
  },
]);

testRules(["image_bounds"], [
  {
    rule: "image_bounds",
    what: "a least size above the largest that the folder says",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES, model: { model: VISUAL, min_pixels: 50_000 } },
    says: /min_pixels is 50000 and the model's folder has max_pixels \d+, want less, or max_pixels as well/,
    at: "50000",
    silent: { prompts: PICTURES, model: { model: VISUAL, min_pixels: 50_000, max_pixels: 60_000 } },
  },
  {
    rule: "image_bounds",
    what: "bounds for a model of words alone",
    severity: "error",
    refuses: true,
    fires: { model: { max_pixels: 3136 } },
    says: /the model reads words alone; leave out min_pixels and max_pixels/,
    at: "3136",
    silent: { prompts: PICTURES, model: { model: VISUAL, max_pixels: 3136 } },
  },
]);

testRules(["chat_template"], [
  {
    rule: "chat_template",
    what: "a prompt with an image by what it says",
    severity: "error",
    refuses: true,
    fires: { prompts: PICTURES },
    says: /^prompt "Which \d+\?" cannot be read: it is a list of messages/,
    silent: { prompts: PICTURES, model: { model: VISUAL } },
  },
]);
