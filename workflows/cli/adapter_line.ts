/** What `runs show` says of a run's low-rank adapter and of the model beneath it. @module */
import type { ColumnTable } from "arquero";

/** From the table `settings`; nothing of a run whose weights all train. */
export function adapterLine(settings: ColumnTable): { readonly adapter?: string } {
  const rows = settings.objects() as { readonly name: string; readonly value: string }[];
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const of = (name: string) => values.has(name) ? JSON.parse(values.get(name)!) as unknown : undefined;
  if (!values.has("lora_rank")) return {};
  const count = of("adapter_parameters"), trains = of("trainable_parameters");
  const size = typeof count === "number" ? `, ${count.toLocaleString("en")} parameters` : "";
  const part = typeof trains === "number" && trains !== count ? ` (${trains.toLocaleString("en")} train)` : "";
  const base = of("lora_base") ?? "the model";
  return {
    adapter: `LoRA, rank ${of("lora_rank")}, alpha ${of("lora_alpha")}${size}${part}, on ${
      of("lora_target_modules")
    } of ${base}`,
  };
}
