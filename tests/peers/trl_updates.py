"""Ten updates of a stock TRL trainer on given rows: loss and gradient norm per update as JSON lines, the last weights as a file.

    python trl_updates.py --model FOLDER --kind grpo|kto|dpo|sft --rows rows.json --out FOLDER

rows.json: {"batch": rows per update, "config": options of TRL's config, "rows": [...]}; a row is what the trainer's data set
holds. Of grpo a row is {"prompt", "completions": [[token ids]], "rewards": [number]} and the trainer is given these
completions and rewards in place of sampled ones; nothing else of TRL is changed. CPU, float32, 2 threads.
"""
import argparse, contextlib, json, os, sys

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRL_EXPERIMENTAL_SILENCE="1", OMP_NUM_THREADS="2")

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--kind", required=True, choices=["grpo", "kto", "dpo", "sft"])
parser.add_argument("--rows", required=True)
parser.add_argument("--out", required=True)
given = parser.parse_args()

import torch
from datasets import Dataset
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, TrainerCallback
import trl

torch.set_num_threads(2)
with open(given.rows) as file:
    task = json.load(file)
rows, name = task["rows"], given.kind.upper()
load = lambda: AutoModelForCausalLM.from_pretrained(given.model, dtype=torch.float32)
tokenizer, model = PreTrainedTokenizerFast.from_pretrained(given.model), load()
config = dict(
    output_dir=given.out, per_device_train_batch_size=task["batch"], lr_scheduler_type="constant", report_to=[],
    logging_steps=1, save_strategy="no", use_cpu=True, bf16=False, gradient_checkpointing=False, disable_tqdm=True, seed=1,
)
if given.kind == "grpo":
    config["shuffle_dataset"] = False
else:
    config["train_sampling_strategy"] = "sequential"
config.update(task["config"])
out, extra = sys.stdout, {}


class Trainer(getattr(trl, name + "Trainer")):
    def training_step(self, *args, **kwargs):
        loss = super().training_step(*args, **kwargs)
        self.last_loss = float(loss)
        return loss

    def _generate_single_turn(self, prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        """The completions of the rows, in the place of sampled ones."""
        at = self.drawn = getattr(self, "drawn", -1) + 1
        prompts = len(prompt_ids) // num_generations
        drawn = rows[at * prompts:(at + 1) * prompts]
        return [ids for row in drawn for ids in row["completions"]], None


class Print(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **_):
        if "grad_norm" not in logs:
            return
        row = {k: float(v) for k, v in logs.items()}
        row.update(update=state.global_step, loss=trainer.last_loss)
        print(json.dumps(row), file=out, flush=True)


if given.kind == "grpo":
    # The reward functions see the rows in the order in which TRL draws them, each repeated for its group.
    def reward(prompts, **_):
        reward.calls += 1
        size = len(prompts) // len(rows[0]["completions"])
        return [r for row in rows[(reward.calls - 1) * size:reward.calls * size] for r in row["rewards"]]

    reward.calls = 0
    extra["reward_funcs"] = reward
    data = Dataset.from_list([{"prompt": row["prompt"]} for row in rows])
else:
    data = Dataset.from_list(rows)
    if given.kind != "sft":
        extra["ref_model"] = load()
with contextlib.redirect_stdout(sys.stderr):
    trainer = Trainer(
        model=model, args=getattr(trl, name + "Config")(**config), processing_class=tokenizer, train_dataset=data,
        callbacks=[Print()], **extra,
    )
    trainer.train()
weights = {k: v.detach().clone().contiguous() for k, v in model.state_dict().items() if k != "lm_head.weight"}
save_file(weights, os.path.join(given.out, "weights.safetensors"))
