// Draws a chart anew in the browser: other rows, other smoothing or scale, less room. Vega is started when it is first needed.
(() => {
  const palette = JSON.parse(document.getElementById("page-palette")?.textContent ?? "{}");
  /** @type {any} */
  let vega = null;

  function runtime() {
    if (vega) return vega;
    const script = document.createElement("script");
    script.textContent = document.getElementById("vega-runtime")?.textContent ?? "";
    document.head.append(script);
    return vega = /** @type {any} */ (globalThis).vega;
  }

  /** Every object of a specification, its groups' too. */
  function* parts(spec) {
    if (Array.isArray(spec)) { for (const one of spec) yield* parts(one); }
    else if (spec && typeof spec === "object") {
      yield spec;
      for (const value of Object.values(spec)) yield* parts(value);
    }
  }

  /** Below this a picture that shrinks with the page has letters too small: it is drawn anew for the room there is. */
  const NARROW = 400;
  /** What names of rows may take of it. */
  const NAMES = 120;
  const room = (figure) => {
    const { paddingLeft, paddingRight } = getComputedStyle(figure);
    return Math.floor(figure.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  };

  /** Makes a specification as wide as there is room; panels share it, and a legend is one column. */
  function fit(spec, width, panels) {
    if (width >= NARROW) return;
    if (spec.autosize?.type === "fit-x") spec.width = width;
    else if (spec.width) {
      spec.width = Math.min(spec.width, width - NAMES); // beside it stand names of rows
      for (const part of parts(spec)) if (part.labelLimit > NAMES - 14) part.labelLimit = NAMES - 14; // ticks, and room
    }
    const panel = Math.floor((width - 10 * (panels - 1)) / panels - 52);
    for (const signal of spec.signals ?? []) if (signal.name === "child_width") signal.value = panel;
    if (spec.layout?.padding?.column) spec.layout.padding.column = 10;
    for (const part of parts(spec)) {
      if (part.columns > 1) part.columns = 1;
      if (part.gradientLength > 100) part.gradientLength = 100;
      if (panels > 1 && part.orient === "bottom" && part.scale) part.tickCount = 3;
      if (panels > 1 && part.title?.anchor === "start") {
        Object.assign(part.title, { limit: panel, fontSize: 10 }); // as wide as its panel: beside it begins the next
      }
    }
  }

  /** Draws a chart anew in its figure, from rows and as `state` says. */
  async function redrawn(chart, figure, rows, state) {
    const old = figure.querySelector("svg");
    if (!old) return;
    if (!rows.length) {
      old.style.opacity = "0.15";
      return;
    }
    const phases = new Set(rows.map((row) => row.phase));
    const spec = structuredClone(chart.phased && phases.size > 1 ? chart.phased : chart.plain);
    spec.data.find(({ name }) => name.startsWith("source_")).values = rows;
    for (const part of parts(spec)) {
      if (part.type === "window" && part.ops?.includes("median")) part.frame = [-state.smooth, state.smooth];
      // Where nobody asked, what is measured seldom is drawn as it is.
      if (state.asked && /median$/.test(part.as)) part.expr = part.expr?.replace(/ && datum\.count > [^?]*\?/, " ?");
      if (state.log && part.name?.endsWith("y") && part.type === "linear" && part.range) {
        part.type = "symlog";
        part.constant = 0.01;
        delete part.zero;
      }
    }
    fit(spec, room(figure), phases.size);
    if (chart.clicked) return live(old, spec);
    const view = new (runtime().View)(runtime().parse(spec), { renderer: "none" });
    let svg = await view.toSVG();
    view.finalize();
    svg = svg.replaceAll('id="', `id="${chart.name}_`).replaceAll("url(#", `url(#${chart.name}_`)
      .replace(/<text [^>]*opacity="0"[^>]*>[^<]*<\/text>/g, "")
      .replace(/<svg ([^>]*?)width="(\d+)" height="(\d+)"/, '<svg $1width="100%"');
    for (const [name, color] of Object.entries(palette)) svg = svg.replaceAll(color, `var(--${name})`);
    const made = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    old.replaceWith(document.importNode(made, true));
  }

  /** A view that hears clicks, in the colours of the page, which follow the screen and the printer. */
  function live(old, spec) {
    let text = JSON.stringify(spec);
    for (const [name, color] of Object.entries(palette)) text = text.replaceAll(color, `var(--${name})`);
    const container = document.createElement("div");
    container.className = "live";
    old.replaceWith(container);
    return new (runtime().View)(runtime().parse(JSON.parse(text)), { renderer: "svg", container, hover: true })
      .runAsync();
  }

  Object.assign(/** @type {any} */ (globalThis.nonzeroPage ??= {}), { room, NARROW, redrawn });
})();
