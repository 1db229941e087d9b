// A page follows its channels: what bulletins say is put in at once, what they do not say is read again.
// Loaded before everything else that changes the page, so that it knows what the server has sent.

const line = document.getElementById("live");
const news = document.getElementById("news");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST = 1000; // milliseconds until a lost stream is taken up again; doubled each time, up to LAST
const LAST = 30000;
const SPREAD = 2000; // milliseconds over which the followers of a page read it again, not all at once
const SETTLE = Number(line?.dataset.settle ?? 0); // milliseconds until what changed is in the totals too
const EVERY = Number(line?.dataset.every ?? FIRST); // milliseconds between readings at least

const told = new Map(); // what the server last said of a region
let after = channels(line); // position in each channel
let sources = [];
let wait = FIRST;
let reading = null;
let again = false;

for (const region of document.querySelectorAll("[data-live]")) told.set(region.id, text(region));

function channels(from) {
  const words = from?.dataset.channels?.split(" ") ?? [];
  return new Map(words.map((word) => [word.slice(0, word.lastIndexOf("=")), Number(word.slice(word.lastIndexOf("=") + 1))]));
}

function say(on) {
  line.hidden = false;
  line.classList.toggle("on", on);
  line.textContent = on ? line.dataset.on : line.dataset.off;
}

// What the server says of a region; clocks that run do not matter.
function text(region) {
  const copy = region.cloneNode(true);
  for (const clock of copy.querySelectorAll(".countdown")) clock.replaceChildren();
  return copy.outerHTML;
}

// The script has changed something inside: whatever the server says of it next is put in.
function forget(element) {
  const region = element.closest("[data-live]");
  if (region) told.delete(region.id);
}

// The page as the server has it now. Regions of which it says the same as before are left alone.
async function read() {
  const positions = [...after].map(([name, position]) => `${name}=${position}`).join(" ");
  const answer = await fetch(location.href, { headers: { Accept: "text/html", "Crossruff-Seen": positions } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const region of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(region.id);
    if (!fresh) continue;
    const now = text(fresh);
    if (now === told.get(region.id)) continue;
    told.set(region.id, now);
    exchange(region, document.adoptNode(fresh));
  }
  const head = page.querySelector("h1");
  if (head && !head.isEqualNode(document.querySelector("h1"))) document.querySelector("h1").replaceWith(head);
  document.title = page.title;
  // After the end of a week the page is about the next one.
  const others = channels(page.getElementById("live"));
  if ([...others.keys()].join() !== [...after.keys()].join()) {
    after = others;
    follow();
  }
}

// Whatever the reader did in a region stays: other scripts see to their part when they are told.
function exchange(region, fresh) {
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  const way = focused && wayTo(focused, region);
  const before = places(region);
  const scrolled = [...region.querySelectorAll(".wide")].map((each) => each.scrollLeft);
  const unfolded = new Map(folds(region).map(([name, each]) => [name, each.open]));
  region.replaceWith(fresh);
  for (const [name, each] of folds(fresh)) each.open = unfolded.get(name) ?? each.open;
  fresh.dispatchEvent(new CustomEvent("replaced", { bubbles: true, detail: region }));
  [...fresh.querySelectorAll(".wide")].forEach((each, i) => { each.scrollLeft = scrolled[i] ?? 0; });
  if (focused) focusAgain(focused, way, fresh);
  slide(fresh, before);
}

function folds(region) {
  return [...region.querySelectorAll("details")].map((each, i) => [
    each.id || `${i} ${each.querySelector("summary")?.textContent}`, each,
  ]);
}

const KEYED = "[id], [data-row], [data-result]";

function keyOf(element) {
  const { id, dataset } = element;
  if (id) return `#${CSS.escape(id)}`;
  return dataset.row === undefined
    ? `[data-result="${CSS.escape(dataset.result)}"]` : `[data-row="${CSS.escape(dataset.row)}"]`;
}

// How to find an element in another version of its region: from what has a name down, and by its address.
function wayTo(element, region) {
  const from = element.closest(KEYED) ?? region;
  const steps = [];
  for (let at = element; at !== from; at = at.parentElement) {
    steps.unshift(`> ${at.tagName}:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`);
  }
  const href = element.getAttribute("href");
  return { key: from === region ? null : keyOf(from), steps: steps.join(" "), href };
}

function focusAgain(element, way, fresh) {
  const from = way.key ? fresh.querySelector(way.key) : fresh;
  const found = element.isConnected ? element
    : from && ((way.href !== null && from.querySelector(`[href="${CSS.escape(way.href)}"]`))
      || (way.steps ? from.querySelector(`:scope ${way.steps}`) : from));
  const taken = found || fresh.querySelector(".wide[tabindex]") || fresh;
  if (taken === fresh) fresh.tabIndex = -1;
  taken.focus({ preventScroll: true });
}

function later(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

// Soon, but not with everybody else; what comes meanwhile is read once more.
async function reread() {
  again = true;
  if (reading) return;
  reading = true;
  await later(SETTLE + Math.random() * Math.max(SPREAD, EVERY / 4));
  let patience = FIRST;
  while (again) {
    again = false;
    const good = await read().then(() => true, () => false);
    patience = good ? FIRST : Math.min(2 * patience, LAST);
    if (!good) again = true;
    await later(Math.max(good ? EVERY : patience, SETTLE) * (1 + Math.random() / 4));
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
    const all = board.results === 1 ? line.dataset.oneResult : line.dataset.manyResults.replace("{results}", board.results);
    state.querySelector(".count").textContent = of ? `${board.results}/${of}` : `· ${all}`;
    if (after.has(`board:${board.id}`)) news.textContent = state.textContent; // to be read aloud
    forget(state);
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
    if (progress) forget(progress);
  }
  const tables = Object.values(body.tables ?? {});
  const only = Object.keys(body).every((name) => name === "tables");
  return only && tables.every((told) => told && Object.keys(told).every((name) => name === "results"));
}

// Whether a page that is about one pool may leave alone what was told of another.
function elsewhere(body) {
  return line.dataset.pool !== undefined && body.pool !== undefined && body.pool !== line.dataset.pool;
}

const TAKE = {
  // A board's own page changes in more than its state: it is read again.
  result(body) {
    place(body.board);
    reread();
  },
  "board-revealed": reread,
  // A page that shows of boards only where they stand has nothing to read when it shows the board.
  board(body) {
    if (elsewhere(body)) return;
    if (!place(body.board) || !document.querySelector("[data-states]")) reread();
  },
  ruling(body) {
    place(body.board);
    reread();
  },
  rated(body) {
    if (!elsewhere(body)) reread();
  },
  // What tables report is put in at once; only a page of tables shows who has come and what is dealt.
  event(body) {
    const reported = report(body);
    const tables = Object.keys(body).every((name) => name === "tables");
    if (!reported && (!tables || document.querySelector("[data-tables]"))) reread();
  },
  "event-warning"(body) {
    news.textContent = line.dataset.left.replace("{minutes}", body.seconds / 60); // to be read aloud
  },
  "event-listed": reread,
  reset: reread,
  closing: () => {},
};

function stop() {
  for (const source of sources) source.close();
  sources = [];
}

function follow() {
  stop();
  sources = [...after.keys()].map(source);
}

function source(name) {
  const opened = new EventSource(`/api/v1/channels/${name}/stream?after=${after.get(name)}`);
  opened.onopen = () => {
    wait = FIRST;
    say(sources.every((each) => each.readyState === EventSource.OPEN));
  };
  opened.onerror = () => {
    say(false);
    // The browser comes again by itself unless it was refused.
    if (opened.readyState === EventSource.CLOSED) {
      setTimeout(() => { if (sources.includes(opened)) sources[sources.indexOf(opened)] = source(name); }, wait);
      wait = Math.min(2 * wait, LAST);
    }
  };
  for (const [kind, take] of Object.entries(TAKE)) {
    opened.addEventListener(kind, (event) => {
      if (event.lastEventId && after.has(name)) after.set(name, Number(event.lastEventId));
      take(JSON.parse(event.data));
    });
  }
  return opened;
}

// What was counted down to has come: what follows is on the server a moment later.
document.addEventListener("due", () => setTimeout(reread, FIRST));

// A page that nobody sees holds no connection, of which browsers have few; seen again, it goes on from where it was.
document.addEventListener("visibilitychange", () => {
  if (!line) return;
  if (document.hidden) stop();
  else follow();
});
if (line && !document.hidden) follow();

// What is being worked out is read again until it is there, but not for ever.
let patience = 20;

function soon() {
  if (!line || patience-- <= 0 || !document.querySelector("[data-soon]")) return;
  reread();
  later(2 * FIRST).then(soon);
}

soon();
