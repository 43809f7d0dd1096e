const t = performance.now();
import { Intake } from "./data/adapters/intake/intake.ts";
import { PostReader } from "./data/adapters/post/document.ts";
const now = () => performance.now();
for (
  const text of [
    "My GRPO reward is always zero.",
    "The loss goes to nan at step 30 and completions are only !!!!",
    "同一组里的回答不同，loss 一直是 0",
    "My GRPO reward is always zero again.",
    "and the KL explodes after step 10",
    "The gradient norm is 0 from the beginning",
  ]
) {
  const a = now();
  const i = new Intake();
  i.openSource("p.md", "post", 10);
  const r = new PostReader(i);
  r.take({ text, number: 1, ended: true });
  r.end();
  console.log((now() - a).toFixed(1));
}
