/** The kinds of log lines, in the order in which a line is offered to them. @module */
import { DEBUG_BLOCK } from "./debug_block.ts";
import { DEEPSPEED_CHAT } from "./deepspeed_chat.ts";
import { KEY_VALUE } from "./key_value.ts";
import type { LineFormat } from "./line_format.ts";
import { MARKDOWN_TABLE } from "./markdown_table.ts";
import { MLX } from "./mlx.ts";
import { NEMO_RL } from "./nemo_rl.ts";
import { TRL_DICT } from "./trl_dict.ts";
import { RICH_TABLE } from "./rich_table.ts";
import { TQDM } from "./tqdm.ts";
import { VERL } from "./verl.ts";

export const LINE_FORMATS = {
  debug_block: DEBUG_BLOCK,
  rich_table: RICH_TABLE,
  trl_dict: TRL_DICT,
  verl: VERL,
  deepspeed_chat: DEEPSPEED_CHAT,
  nemo_rl: NEMO_RL,
  mlx: MLX,
  tqdm: TQDM,
  markdown_table: MARKDOWN_TABLE,
  key_value: KEY_VALUE,
} satisfies Record<string, LineFormat>;
