import assert from "node:assert/strict";
import { readPython } from "../../../workflows/translate/python_call.ts";

const options = (script: string) =>
  Object.fromEntries(readPython(script).options.map(({ name, value }) => [name, value]));

Deno.test("readPython() reads the configuration, what is set on it later, and the trainer's arguments", () => {
  const script = `
from trl import GRPOConfig, GRPOTrainer
LR = 1e-6
data = load_dataset("org/name", split="train").map(lambda x: {"a": 1})
args = GRPOConfig("out", learning_rate=LR * 2, **dict(beta=0.04))
args.max_steps = 10
other.max_steps = 99
GRPOTrainer(AutoModel.from_pretrained("m", torch_dtype=torch.bfloat16), reward_funcs=[mine], args=args, train_dataset=data["train"],
            peft_config=LoraConfig(r=8)).train()
`;
  const read = readPython(script);
  assert.equal(read.trainer, "grpo");
  assert.deepEqual(options(script), {
    output_dir: "out",
    learning_rate: 2e-6,
    beta: 0.04,
    max_steps: 10,
    model: "m",
    "model.torch_dtype": { unresolved: "torch.bfloat16" },
    reward_funcs: [{ unresolved: "mine" }],
    train_dataset: "org/name",
    "train_dataset.split": "train",
    "peft_config.r": 8,
  });
  assert.match(read.notes.join(), /changes its data \(line 4\)/);
});

Deno.test("readPython() follows argparse, dataclasses, parameters of functions and classes of one's own", () => {
  assert.deepEqual(
    options(
      'p.add_argument("--lr", type=float, default=2e-5)\na = p.parse_args()\nKTOTrainer(args=KTOConfig(learning_rate=a.lr))',
    ),
    { learning_rate: 2e-5 },
  );
  assert.deepEqual(
    options(
      "@dataclass\nclass A:\n  beta: float = field(default=0.2)\ns = parser.parse()\nDPOTrainer(args=DPOConfig(beta=s.beta))",
    ),
    { beta: 0.2 },
  );
  assert.deepEqual(
    options("def train(lr: float = 3e-6, *, n=2):\n  SFTTrainer(args=SFTConfig(learning_rate=lr, seed=n))"),
    { learning_rate: 3e-6, seed: 2 },
  );
  assert.deepEqual(options("class Mine(GRPOConfig):\n  beta: float = 0.3\nGRPOTrainer(args=Mine(seed=1))"), {
    beta: 0.3,
    seed: 1,
  });
});

Deno.test("readPython() says what it leaves out, and that a script takes its arguments elsewhere", () => {
  const two = readPython("SFTTrainer(args=SFTConfig(seed=1))\nGRPOTrainer(args=GRPOConfig(seed=2))");
  assert.deepEqual([two.trainer, two.options.map(({ value }) => value)], ["grpo", [2]]);
  assert.match(two.notes[0]!, /line 1 makes another trainer, SFTTrainer/);
  const parsed = readPython("parser = TrlParser((ScriptArguments, ModelConfig))\nprint(1)");
  assert.deepEqual([parsed.trainer, parsed.parses], [null, true]);
});

Deno.test("readPython() ends on what is broken", () => {
  for (
    const text of [
      "GRPOTrainer(args=GRPOConfig(beta=",
      "class",
      "def f(",
      "x = ",
      "GRPOConfig(" + "(".repeat(3000),
      "a.b.c =\n= 1",
      "if :",
      ")))",
    ]
  ) {
    assert(readPython(text).options !== undefined, text);
  }
});
