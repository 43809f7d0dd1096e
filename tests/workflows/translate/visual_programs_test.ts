import assert from "node:assert/strict";
import { shellCommands } from "../../../workflows/translate/shell_words.ts";
import type { Variables } from "../../../workflows/translate/shell_expansion.ts";
import { readFiles } from "../../data/adapters/read_text.ts";
import { visualProgram } from "../../../workflows/translate/visual_programs.ts";

function program(script: string): string | null {
  const variables: Variables = new Map(), commands = shellCommands(script, variables), command = commands.at(-1)!;
  const found = visualProgram(command, command.findIndex(({ text }) => text.endsWith(".py")), variables);
  return found === null ? null : `${found.system} ${found.trainer}`;
}

Deno.test("visualProgram() tells systems apart by script, flags and the words around them, as the reader of logs does", async () => {
  const cases: readonly [script: string, found: string | null][] = [
    ["torchrun src/open_r1/grpo.py --max_pixels 401408 --dataset_name ./share_data/base65cate_6k", "visual-rft grpo"],
    ["DATA_PATH=laolao77/ViRFT_COCO\ntorchrun src/open_r1/grpo.py --dataset_name $DATA_PATH", "visual-rft grpo"],
    ["torchrun src/open_r1/grpo_classification.py --dataset_name x", "visual-rft grpo_classification"],
    ["torchrun src/open_r1/grpo_lisa.py --dataset_name NOT_USED", "visual-rft grpo_lisa"],
    ["torchrun R1-V/src/open_r1/grpo.py --dataset_name coco_base65cate_6k --max_pixels 1", "visual-rft grpo"],
    ["torchrun src/open_r1/grpo.py --dataset_name leonardPKU/clevr_cogen_a_train --max_pixels 1", "r1-v-family grpo"],
    ["cd src/r1-v\ntorchrun src/r1-v/src/open_r1/grpo.py --dataset_name x", "r1-v-family grpo"],
    ["torchrun src/open_r1/grpo_rec.py --dataset_name data.yaml --image_root coco", "vlm-r1 grpo_rec"],
    ["torchrun src/open_r1/grpo_jsonl.py --reward_funcs accuracy", "vlm-r1 grpo_jsonl"],
    ["torchrun own.py --data-file-paths a.jsonl --image_folders b", "vlm-r1 grpo_jsonl"],
    ["torchrun src/open_r1/grpo.py --model_name_or_path a --dataset_name AI-MO/NuminaMath-TIR", null],
    [
      "torchrun src/open_r1/grpo_rec.py --dataset_name data_config/rec.yaml --image_root ./coco --num_generations 8 --max_pixels 200704",
      "vlm-r1 grpo_rec",
    ],
    ["torchrun src/virft/src/open_r1/grpo_rec.py --dataset_name ViRFT.yaml --max_pixels 1", "vlm-r1 grpo_rec"],
    ["torchrun VLM-R1/grpo_classification.py --num_generations 8", "visual-rft grpo_classification"],
    ["python train_grpo.py --dataset_name x --num_generations 8 --max_pixels 1", null],
    ["python sft.py --dataset_name ViRFT", null],
  ];
  for (const [script, found] of cases) {
    assert.equal(program(script), found, script);
    const { system } = await readFiles({ "run.sh": `${script} --learning_rate 1e-6 --num_generations 8\n` });
    assert.equal(system, found?.split(" ")[0] ?? "trl", script);
  }
});

Deno.test("visualProgram() tells of a script that Visual-RFT names and does not have, and of no other", () => {
  const note = (name: string) =>
    visualProgram(shellCommands(`torchrun src/open_r1/${name}.py`)[0]!, 1, new Map())!.note;
  assert.match(note("grpo_gui_grounding_lisa")!, /has no grpo_gui_grounding_lisa\.py.*read as grpo_lisa\.py/);
  assert.equal(note("grpo_lisa"), null);
});
