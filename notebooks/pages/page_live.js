// Keeps a page current while its run goes on: the server says that something changed, the page fetches it.
(() => {
  const here = new URL(location.href),
    token = here.searchParams.get("token") ?? "",
    stop = here.searchParams.get("stop");
  const ask = (path) => fetch(`${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`);
  const note = document.getElementById("live");
  const say = (text) => {
    if (note) note.textContent = text;
  };
  const source = new EventSource(`${here.pathname.replace(/\/$/, "")}/events?token=${encodeURIComponent(token)}`);
  source.onopen = () => say("live");
  // The browser asks again by itself, until somebody answers that knows nothing of this page.
  source.onerror = () =>
    say(
      source.readyState === EventSource.CLOSED
        ? "the program that serves this page was started again: open the address that it printed"
        : "the program that serves this page has ended",
    );
  source.addEventListener("runs", async () => {
    const list = document.getElementById("runs");
    if (!list) return;
    list.innerHTML = await (await ask("/list")).text();
    const running = list.querySelectorAll(".status.running").length, head = document.querySelector("h1 .status");
    if (head) head.textContent = `${running} running`;
  });
  const QUIET_MS = 60_000; // A log of which nothing has come for so long is called quiet.
  let shownHead = null;
  const sayHead = () => {
    if (shownHead === null || source.readyState !== EventSource.OPEN) return;
    const { status, trainStep, news } = shownHead, quiet = news !== null && Date.now() - news > QUIET_MS;
    const time = quiet && new Date(news).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
    const words = [status === "running" ? "live" : status, `train step ${trainStep}`, quiet && `quiet since ${time}`];
    say(words.filter(Boolean).join(" · "));
  };
  setInterval(sayHead, 5000);
  let slow = ""; // what the page has besides the train steps: it is not sent again
  source.addEventListener("run", async () => {
    const answer = await ask(`${here.pathname}/data?slow=${encodeURIComponent(slow)}`);
    if (!answer.ok) return say(await answer.text()); // it was removed, or is written at this moment
    const { data, head, names } = await answer.json();
    slow = head.slow;
    const shown = [...document.querySelectorAll(".charts figure")].map((figure) => figure.id).join();
    // A chart that has its first values, a finding, an end (what was found so far is a verdict then) or a resume: the page is
    // drawn anew by the server.
    if (names !== shown || head.told !== document.body.dataset.told) {
      location.reload();
      return;
    }
    shownHead = head;
    sayHead();
    await globalThis.nonzero.update(data);
    if (head.status !== "running") button?.remove();
  });
  let button = null;
  if (stop && document.getElementById("live")) {
    button = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: "Stop at the next safe point",
    });
    button.addEventListener("click", async () => {
      button.disabled = true;
      const answer = await fetch(
        `${here.pathname}/stop?token=${encodeURIComponent(token)}&stop=${encodeURIComponent(stop)}`,
        { method: "POST" },
      );
      say(await answer.text());
    });
    document.getElementById("live").after(" ", button);
  }
})();
