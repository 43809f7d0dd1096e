// The table of the completions of one train step.
(() => {
  const element = (/** @type {string} */ id) => document.getElementById(id);

  const number = (/** @type {unknown} */ x) => {
    if (x === null || x === undefined) return "–";
    if (typeof x !== "number") return String(x);
    if (Number.isInteger(x)) return String(x);
    return Math.abs(x) < 1e-12 ? "0" : String(Number(x.toPrecision(4))); // as shownNumber() writes it
  };

  const TEXTS = new Set(["prompt", "text", "answer"]);

  /** What is shown of completions: what some of them have, each reward function before their sum. */
  function columnsOf(rows) {
    const has = (name) => rows.some((row) => row[name] !== null && row[name] !== undefined);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const functions = names.filter((name) => name.startsWith("reward.")).map((
      name,
    ) => [name, name.slice(7).replaceAll("/", "/\u200b")]);
    const answer = [["answer", "answer"]], isSeen = has("picture");
    // Beside a picture, which shows the answer, there is no room for all: rewards come before it.
    return [
      ["picture", "picture"],
      ["prompt", "prompt"],
      ["text", "completion"],
      ...isSeen ? [] : answer,
      ...functions.length > 1 ? functions : [],
      ["reward", "reward"],
      ["advantage", "advantage"],
      ["completion_tokens", "tokens"],
      ...isSeen ? answer : [],
    ].filter(([name]) => name === "text" || has(name));
  }

  /** Shows those of a train step, or of the one nearest to it that is kept; `moves` to them. */
  function showCompletions(completions, step, moves) {
    const body = element("step-completions");
    if (!body || !completions.length) return;
    const steps = [...new Set(completions.map((row) => row.train_step))];
    const chosen = steps.reduce((best, one) => Math.abs(one - step) < Math.abs(best - step) ? one : best, steps[0]);
    const rows = completions.filter((row) => row.train_step === chosen);
    const title = element("step-title");
    if (title) {
      title.textContent = `Train step ${chosen}${chosen === step ? "" : `, the nearest to ${step} that is kept`}`;
    }
    const shown = columnsOf(completions), head = element("step-columns");
    head?.replaceChildren(
      ...shown.map(([, title]) => Object.assign(document.createElement("th"), { textContent: title })),
    );
    body.replaceChildren(...rows.map((row) => {
      const tr = document.createElement("tr");
      tr.className = row.correct === true ? "right" : row.correct === false ? "wrong" : "";
      for (const [name, title] of shown) {
        const td = tr.appendChild(document.createElement("td"));
        td.dataset.name = title;
        if (name === "picture") td.innerHTML = row.picture ?? ""; // made by the page's own parts, texts escaped
        else if (TEXTS.has(name)) {
          const code = td.appendChild(document.createElement("code"));
          Object.assign(code, { dir: "auto", textContent: String(row[name] ?? "") });
          if (name === "text") td.className = "said";
          if (name !== "text" || !row.truncated) continue;
          td.append(Object.assign(document.createElement("small"), { className: "cut", textContent: "truncated" }));
        } else Object.assign(td, { className: "number", textContent: number(row[name]) });
      }
      return tr;
    }));
    if (moves) element("completions")?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  }

  Object.assign(/** @type {any} */ (globalThis.nonzeroPage ??= {}), { number, showCompletions });
})();
