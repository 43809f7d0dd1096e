import assert from "node:assert/strict";
import { redact, takenOut } from "../../../workflows/doctor/redact.ts";

const HEX = "0123456789ABCDEF0123456789ABCDEF01234567";
const KEY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ";

const CASES: readonly (readonly [text: string, want: string])[] = [
  ["/home/ada/run/log.txt:3", "/home/…/run/log.txt:3"],
  ["/Users/ada/x C:\\Users\\ada\\x", "/Users/…/x C:\\Users\\…\\x"],
  // As JSON quotes it, and as JSON in JSON does.
  [
    String.raw`"C:\\Users\\maria\\runs" "C:\\\\Users\\\\maria\\\\runs"`,
    String.raw`"C:\\Users\\…\\runs" "C:\\\\Users\\\\…\\\\runs"`,
  ],
  ["c:\\users\\maria.gomez C:/Users/maria/x", "c:\\users\\… C:/Users/…/x"],
  ["/home/Maria Gomez/x and \\home\\ada", "/home/…/x and \\home\\…"],
  ["/home/ada is full", "/home/… is full"],
  ["token hf_abcdefghijklmnop end", "token <token> end"],
  ["WANDB api_key=0123456789", "WANDB api_key=<token>"],
  ["HF_TOKEN=abcdEFGH1234567890xyz DB_PASSWORD=hunter2secret99", "HF_TOKEN=<token> DB_PASSWORD=<token>"],
  ["DB_PASS=hunter SOME_KEY=ab12cd34ef56", "DB_PASS=<token> SOME_KEY=<token>"],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = <token>"],
  [
    "--hub_token Zx81aB --api_key 'Zx81aB' --token Zx81aBcd9",
    "--hub_token <token> --api_key '<token>' --token <token>",
  ],
  ["{'token': 'Zx81aBcd9', \"password\": \"x\"}", "{'token': '<token>', \"password\": \"<token>\"}"],
  [String.raw`"{\"hub_token\": \"Zx81\", \"lr\": 1}"`, String.raw`"{\"hub_token\": \"<token>\", \"lr\": 1}"`],
  ["my password is hunter2secret99.", "my password is <token>"],
  ["密码是hunter2 пароль: кот7", "密码是<token> пароль: <token>"],
  ["AIzaSyA1234567890 nvapi-abc1234567890 sk_live_1234567890ab", "<token> <token> <token>"],
  [`key ${HEX} ${HEX.toLowerCase()}`, "key <token> <token>"],
  [`-----BEGIN OPENSSH PRIVATE KEY-----${KEY}`, "<token>"],
  [`a -----BEGIN RSA PRIVATE KEY-----\n${KEY}\nQ==\n-----END RSA PRIVATE KEY----- b`, "a <token> b"],
  [`-----BEGIN PRIVATE KEY-----\\n${KEY}\\n${KEY} and more`, "<token> and more"],
  ["https://maria:hunter2secret99@gitea:3000/repo.git", "https://<token>@gitea:3000/repo.git"],
  ["write to ada.l@example.org now", "write to <e-mail> now"],
  ["maria@localhost мария@почта.рф maria%40corp.example.com", "<e-mail> <e-mail> <e-mail>"],
  ["联系zhang@corp.cn", "联系<e-mail>"],
  ["maria@gpu01:~/run$ python", "<e-mail>:~/run$ python"],
  ["Bearer abc123def Authorization: Basic bWFyaWE6", "Bearer <token> Authorization: Basic <token>"],
];
for (const [text, want] of CASES) {
  Deno.test(`redact() of ${JSON.stringify(text)}`, () => assert.equal(redact(text), want));
}

/** What a diagnosis is made of. */
const KEPT = [
  "loss 0.0 at step 12, reward_std 0",
  "max_token=512 num_tokens: 1751675 pad_token_id: 151643 token_type=ids kl_loss_coef=0.001",
  "--max_token 512 --pad_token '<|endoftext|>' eos_token=<|im_end|> pad_token: <|reserved_special_token_0|> [PAD]",
  'pad_token: "[PAD]" loss_per_token: 1.5e-3 per_token=4k hub_token: null, use_auth_token=True',
  "hub_token=None --use_auth_token --bf16 loss_agg_mode=token-mean next token: therefore",
  "pass@1 mean@16 val-core/gsm8k/acc/mean@8 mAP@0.5 mAP@0.5:0.95 vllm@0.8.2 nonzero@main",
  "hf_checkpoint_path hf_generate_config reward_key=answer1 prompt_key: problem",
  "a bearer instrument, basic understanding; the password is wrong",
  "the run at home/office, /homes and /usr/local",
];
for (const text of KEPT) Deno.test(`redact() leaves ${JSON.stringify(text)}`, () => assert.equal(redact(text), text));

Deno.test("takenOut() lists each passage that redact() takes out, once, with what stands in its place", () => {
  const text = "/home/ada l/x /home/ada l/y hf_abcdefghijklmnop ada.l@example.org loss 0";
  assert.deepEqual(takenOut(text), [
    { text: "/home/ada l", by: "/home/…" },
    { text: "hf_abcdefghijklmnop", by: "<token>" },
    { text: "ada.l@example.org", by: "<e-mail>" },
  ]);
});

Deno.test("redact() has nothing to take out of what it wrote, and JSON stays JSON", () => {
  for (const [text] of CASES) {
    assert.deepEqual(takenOut(redact(text)), [], text);
    JSON.parse(redact(JSON.stringify({ text, more: [`"${text}"`] })));
  }
});

Deno.test("redact() is as fast on long texts of its own letters", () => {
  const pieces = [
    "a",
    "a.",
    "A_",
    "@",
    "/home/",
    "\\",
    " a",
    "token=",
    "--token ",
    "-----BEGIN PRIVATE KEY-----",
    "Bearer ",
  ];
  for (const piece of pieces) redact(piece.repeat(40_000));
});
