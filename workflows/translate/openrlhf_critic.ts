/** OpenRLHF's critic: when there is one, and what it starts from. @module */
import { openrlhfModel } from "./openrlhf.ts";
import type { Entry, Given, Made } from "./table.ts";
import { type Value, valueText } from "./written.ts";

/** The estimator of advantages by its name. */
export const estimator = (given: Given) => String(given.value("algo.advantage.estimator"));

/** Only generalised advantage estimation asks one. */
export const hasCritic = (given: Given) => estimator(given) === "gae";

/** An entry that holds only where there is a critic. */
export const onlyCritic = (entry: Entry): Entry => ({
  ...entry,
  make: (value, given) =>
    hasCritic(given) ? entry.make(value, given) : { equal: "without effect unless the estimator is gae" },
});

const CRITIC = openrlhfModel("load_critic.model", ["critic_pretrain"]);

/** Without a model of its own the critic starts from the reward model, and without that from the policy. */
function criticOf(value: Value, given: Given): Made {
  if (value !== null) return CRITIC.make(value, given);
  const scorer = given.value("reward.model_name_or_path"), [first] = valueText(scorer).split(",");
  const isRemote = ["reward.remote_url", "train.agent_func_path"].some((name) => given.value(name) !== null);
  if (scorer === null || isRemote) return { equal: "the critic starts from the policy" };
  const made = CRITIC.make(typeof scorer === "string" ? first! : scorer, given);
  return "set" in made ? { ...made, note: "body and head of the reward model, as there" } : made;
}

/** The option of its model. */
export const OPENRLHF_CRITIC: Entry = onlyCritic({ ...CRITIC, default: null, make: criticOf });
