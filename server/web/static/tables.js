// Tables that can be put into another order, and rows that open their arithmetic in place; both stay as they are
// when the region that they are in is read again.

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

function value(row, column) {
  const cell = row.cells[column];
  const given = cell.dataset.sort ?? cell.querySelector("data")?.value;
  const text = given ?? cell.textContent.trim();
  const number = Number(text.replace("−", "-"));
  return text !== "" && !Number.isNaN(number) ? number : text;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(a, b);
}

const orders = new WeakMap(); // how to put a table into an order

// The first order is the server's, with groups and lines between them; any other is of rows alone.
function sortable(table) {
  const bodies = [...table.tBodies];
  const rows = bodies.filter((body) => !body.classList.contains("datum")).flatMap((body) => [...body.rows]);
  const homes = new Map(rows.map((row) => [row, row.parentNode]));
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  const first = heads.findIndex((head) => head.hasAttribute("aria-sort"));

  function close() {
    for (const opened of table.querySelectorAll("tr.opened")) opened.remove();
    for (const link of table.querySelectorAll("[data-opens][aria-expanded=true]")) link.ariaExpanded = "false";
  }

  function order(column, direction) {
    close();
    table.classList.toggle("resorted", !(column === first && direction === "descending"));
    if (column === first && direction === "descending") {
      for (const row of rows) homes.get(row).append(row);
    } else {
      const sign = direction === "descending" ? -1 : 1;
      const sorted = rows.map((row) => [value(row, column), row]).sort((a, b) => sign * compare(a[0], b[0]));
      bodies[0].append(...sorted.map(([, row]) => row));
    }
    heads.forEach((head, i) => (i === column ? head.setAttribute("aria-sort", direction) : head.removeAttribute("aria-sort")));
  }

  orders.set(table, order);
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.querySelector(".unseen, button")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const start = head.classList.contains("number") ? "descending" : "ascending";
      const other = now === "descending" ? "ascending" : "descending";
      order(column, now ? other : start);
    });
  });
}

async function arithmetic(link) {
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = document.adoptNode(page.getElementById(link.dataset.opens));
  found.removeAttribute("id");
  return found;
}

async function open(link) {
  const below = link.closest("tr").nextElementSibling;
  if (below?.classList.contains("opened")) {
    below.remove();
    link.ariaExpanded = "false";
    return;
  }
  const found = await arithmetic(link);
  const href = CSS.escape(link.getAttribute("href"));
  const here = link.isConnected ? link : document.querySelector(`[data-opens][href="${href}"]`); // read again meanwhile
  if (!here || here.ariaExpanded === "true") return; // gone, or pressed twice
  const row = here.closest("tr");
  const opened = document.createElement("tr");
  opened.className = "opened";
  opened.setAttribute("role", "row");
  const cell = opened.insertCell();
  cell.setAttribute("role", "cell");
  cell.colSpan = row.cells.length;
  cell.append(found);
  row.after(opened);
  here.ariaExpanded = "true";
}

// What was open under a row of the region before is open under the same row, and says what is so now.
function reopen(link, before) {
  const opened = before.closest("tr").nextElementSibling;
  if (!opened?.classList.contains("opened")) return;
  opened.cells[0].colSpan = link.closest("tr").cells.length;
  link.closest("tr").after(opened);
  link.ariaExpanded = "true";
  arithmetic(link).then((found) => {
    const shown = opened.cells[0].firstElementChild;
    if (found.isEqualNode(shown)) return;
    const href = shown.contains(document.activeElement) && document.activeElement.getAttribute("href");
    shown.replaceWith(found);
    if (href) found.querySelector(`[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
  }, () => {}); // it stays as it was
}

function named(table, head) {
  return [...table.tHead.rows[table.tHead.rows.length - 1].cells].findIndex((each) => each.textContent === head.textContent);
}

function restore(region, before) {
  const tables = [...before.querySelectorAll("table[data-sortable]")];
  [...region.querySelectorAll("table[data-sortable]")].forEach((table, i) => {
    const head = tables[i]?.classList.contains("resorted") && tables[i].querySelector("th[aria-sort]");
    const column = head ? named(table, head) : -1;
    if (column >= 0) orders.get(table)(column, head.getAttribute("aria-sort"));
  });
  const links = [...before.querySelectorAll('[data-opens][aria-expanded="true"]')];
  for (const link of region.querySelectorAll("[data-opens]")) {
    const same = links.find((each) => each.getAttribute("href") === link.getAttribute("href"));
    if (same) reopen(link, same);
  }
}

function prepare(root) {
  for (const part of root.querySelectorAll(".wide, .wide > table")) frames.observe(part);
  for (const table of root.querySelectorAll("table[data-sortable]")) sortable(table);
  for (const link of root.querySelectorAll("a[data-opens]")) {
    link.ariaExpanded = "false";
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      open(link).catch(() => { location.href = link.href; });
    });
  }
}

// A frame is for what does not fit: without need of it, heads stay in sight and no key has to pass it.
const frames = new ResizeObserver((entries) => {
  for (const frame of new Set(entries.map((entry) => entry.target.closest(".wide")))) {
    const scrolls = frame.scrollWidth > frame.clientWidth + 1;
    frame.classList.toggle("scrolls", scrolls);
    frame.classList.toggle("fits", !scrolls);
    if (scrolls) frame.tabIndex = 0;
    else if (frame !== document.activeElement) frame.removeAttribute("tabindex");
  }
});

// An address that leads to something folded unfolds it, where the browser does not do so by itself.
function unfold() {
  const named = document.getElementById(location.hash.slice(1));
  const folded = named?.closest("details");
  if (!folded || folded.open) return;
  folded.open = true;
  named.scrollIntoView();
}

prepare(document);
unfold();
addEventListener("hashchange", unfold);
document.addEventListener("replaced", (event) => {
  prepare(event.target);
  restore(event.target, event.detail);
});
