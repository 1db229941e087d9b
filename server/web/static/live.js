// A page follows its channel: what bulletins say is put in at once, what they do not say is read again.

const line = document.getElementById("live");
const news = document.getElementById("news");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST = 1000; // milliseconds until a lost stream is taken up again; doubled each time, up to LAST
const LAST = 30000;
const SPREAD = 2000; // milliseconds over which the followers of a page read it again, not all at once
const SETTLE = Number(line?.dataset.settle ?? 0); // milliseconds until what changed is in the totals too

let after = line?.dataset.after;
let wait = FIRST;
let reading = null;
let again = false;

function say(on) {
  line.hidden = false;
  line.classList.toggle("on", on);
  line.textContent = on ? line.dataset.on : line.dataset.off;
}

// The regions of this page as the server has them now. What comes meanwhile is read once more.
async function read() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const region of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(region.id);
    if (!fresh || fresh.isEqualNode(region)) continue;
    const before = places(region);
    const focused = region.contains(document.activeElement) && document.activeElement.getAttribute("href");
    region.replaceWith(document.adoptNode(fresh));
    if (focused) fresh.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    fresh.dispatchEvent(new CustomEvent("replaced", { bubbles: true }));
    slide(fresh, before);
  }
}

async function reread() {
  await new Promise((done) => setTimeout(done, SETTLE + Math.random() * SPREAD));
  again = true;
  if (reading) return;
  reading = true;
  while (again) {
    again = false;
    await read().catch(() => { again = true; });
    await new Promise((done) => setTimeout(done, Math.max(FIRST, SETTLE)));
  }
  reading = false;
}

function places(region) {
  return new Map([...region.querySelectorAll("[data-row]")].map((row) => [row.dataset.row, row.offsetTop]));
}

// Rows that moved slide to where they are now.
function slide(region, before) {
  if (still.matches) return;
  for (const row of region.querySelectorAll("[data-row]")) {
    const moved = (before.get(row.dataset.row) ?? row.offsetTop) - row.offsetTop;
    if (moved) row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 250, easing: "ease-out" });
  }
}

// A board has so many results and this state now; true when the page shows it.
function place(board) {
  const shown = document.querySelectorAll(`[data-board="${CSS.escape(board.id)}"]`);
  for (const state of shown) {
    const { scoreAt, retireAt } = state.dataset;
    const of = { pending: scoreAt, scoring: retireAt }[board.state];
    state.className = `state state-${board.state}`;
    state.querySelector(".word").textContent = line.dataset[board.state];
    state.querySelector(".count").textContent = of ? `${board.results}/${of}` : board.results;
    if (line.dataset.channel === `board:${board.id}`) news.textContent = state.textContent; // to be read aloud
  }
  return shown.length > 0;
}

// A table of an event has reported these boards; true when nothing else was told.
function report(body) {
  for (const [table, told] of Object.entries(body.tables ?? {})) {
    const progress = document.querySelector(`[data-table="${CSS.escape(table)}"]`);
    for (const board of Object.keys(told?.results ?? {})) {
      progress?.querySelector(`[data-board-number="${CSS.escape(board)}"]`)?.classList.add("taken");
    }
    const done = progress?.querySelector("b");
    if (done) done.textContent = progress.querySelectorAll(".taken").length;
  }
  const tables = Object.values(body.tables ?? {});
  const only = Object.keys(body).every((name) => name === "tables");
  return only && tables.every((told) => told && Object.keys(told).every((name) => name === "results"));
}

const TAKE = {
  // A board's own page changes in more than its state: it is read again.
  result(body) {
    place(body.board);
    reread();
  },
  "board-revealed": reread,
  board(body) {
    place(body.board);
    reread();
  },
  ruling(body) {
    place(body.board);
    reread();
  },
  rated: reread,
  // What tables report is put in at once; only a page of tables shows who has come and what is dealt.
  event(body) {
    const reported = report(body);
    const tables = Object.keys(body).every((name) => name === "tables");
    if (!reported && (!tables || document.querySelector("[data-tables]"))) reread();
  },
  "event-warning"(body) {
    news.textContent = line.dataset.left.replace("{minutes}", body.seconds / 60); // to be read aloud
  },
  reset: reread,
  closing: () => {},
};

function follow() {
  const source = new EventSource(`/api/v1/channels/${line.dataset.channel}/stream?after=${after}`);
  source.onopen = () => {
    wait = FIRST;
    say(true);
  };
  source.onerror = () => {
    say(false);
    // The browser comes again by itself unless it was refused.
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(follow, wait);
      wait = Math.min(2 * wait, LAST);
    }
  };
  for (const [kind, take] of Object.entries(TAKE)) {
    source.addEventListener(kind, (event) => {
      if (event.lastEventId) after = event.lastEventId;
      take(JSON.parse(event.data));
    });
  }
}

// What was counted down to has come: what follows is on the server a moment later.
document.addEventListener("due", () => setTimeout(reread, FIRST));
if (line) follow();

// What is being worked out is read again until it is there, but not for ever.
let patience = 20;

function soon() {
  if (line && patience-- > 0 && document.querySelector("[data-soon]")) reread().then(soon);
}

soon();
