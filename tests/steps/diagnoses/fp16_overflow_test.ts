/** The rule fp16_overflow: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { viewOfPost } from "./told/view_of_post.ts";
import { flat, healthyBut, type Run, testRule, viewOf } from "./synthetic.ts";

testRule("fp16_overflow", {
  fires: {
    "overflow at loss scale 1": {
      messages: Array(4).fill("[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 1, reducing to 1"),
    },
    "the scaler's own word": {
      messages: ["Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run."],
    },
  },
  silent: {
    "a scale of 1 all along, as bf16 prints it": healthyBut({ loss_scale: flat(1) }),
    "a falling scale at the start": healthyBut({}, {
      messages: [
        "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 4294967296, reducing to 2147483648",
        "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2147483648, reducing to 1073741824",
      ],
    }),
  },
});

Deno.test("fp16_overflow stays possible where fp16 is set and nothing was ever finite, and only there", () => {
  const share = (run: Run) =>
    diagnoseRun(viewOf(run)).differential.find(({ cause }) => cause === "fp16_overflow")?.probability ?? 0;
  const columns = { loss: flat(0), grad_norm: flat(NaN) }, algorithm = "sft";
  for (const settings of [{ fp16: true }, { torch_dtype: "float16" }, { mixed_precision: "fp16" }]) {
    assert.ok(share({ algorithm, columns, settings }) > 0.05, JSON.stringify(settings));
    assert.equal(diagnoseRun(viewOf({ algorithm, columns, settings })).findings[0]!.cause, "non_finite_weights");
  }
  for (const settings of [{}, { bf16: true }, { fp16: false }, { torch_dtype: "bfloat16" }]) {
    assert.equal(share({ algorithm, columns, settings }), 0, JSON.stringify(settings));
  }
  assert.equal(share({ algorithm, columns: { loss: flat(1), grad_norm: flat(1) }, settings: { fp16: true } }), 0);
});

Deno.test("fp16_overflow advises bf16 only where the GPU that is named has it", async () => {
  const advised = async (gpu: string) => {
    const post = `GRPO on ${gpu}, fp16=True: the loss is 0.2 and becomes NaN at step 12.\n`;
    const [first] = diagnoseRun(await viewOfPost(post)).findings;
    return [first!.cause, first!.hint.includes("bf16 or"), first!.remedy.by_hand!.includes("bf16: true")];
  };
  assert.deepEqual(await advised("two A100"), ["fp16_overflow", true, true]);
  assert.deepEqual(await advised("one T4 of Colab"), ["fp16_overflow", false, false]);
});
