/**
 * What of a chosen part of an adapter would never change: the gradient of A has Bᵀ as a factor, that of B has Aᵀ, so what
 * stays 0 holds the other still.
 * @module
 */
import { adapterNames, type AdapterPlan } from "../../gpu/weights/adapter.ts";

/** How an adapter begins and what of it trains, by the names of its parameters. */
interface Beginning {
  readonly trains: (name: string) => boolean;
  readonly isZero: (name: string) => boolean;
}

/** A matrix of whose A and B one at least trains, and neither would ever change. */
interface Idle {
  readonly name: string;
  /** What is 0 and would stay so. */
  readonly zero: "lora_A" | "lora_B" | "both";
}

interface Movement {
  readonly idle: readonly Idle[];
  /** Whether anything of the adapter changes: A, B or a copy. */
  readonly moves: boolean;
}

/** Of every matrix: A or B changes where it trains and the other is not 0, and then the other has what it needs. */
export function movement({ targets, saved }: AdapterPlan, { trains, isZero }: Beginning): Movement {
  const idle: Idle[] = [];
  let moves = [...saved].some(trains);
  for (const name of targets) {
    const { a, b } = adapterNames(name);
    if (trains(a) && !isZero(b) || trains(b) && !isZero(a)) moves = true;
    else if (trains(a) || trains(b)) idle.push({ name, zero: !isZero(a) ? "lora_B" : isZero(b) ? "both" : "lora_A" });
  }
  return { idle, moves };
}

/** Why an adapter would never change, or null for one that does. */
export function idleProblem({ idle, moves }: Movement): string | null {
  const [first] = idle;
  if (moves || first === undefined) return null;
  const { name, zero } = first;
  if (zero === "both") {
    return `lora_A and lora_B of "${name}" are both 0, so neither would ever change; train a fresh adapter by lora`;
  }
  return `trainable leaves out ${zero} of "${name}", which is 0, so nothing of the adapter would ever change; leave ` +
    `trainable out or add "*.${zero}.weight"`;
}
