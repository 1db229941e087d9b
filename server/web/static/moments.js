// Instants in the reader's own zone, beside that of the weeks; and countdowns, to a week's closing and in events.

const language = document.documentElement.lang;
const { now, zone, here } = document.body.dataset;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const began = performance.now();
const speed = Number(document.body.dataset.speed ?? 1); // of the server's clock
const SOON = 300; // seconds
const written = new Intl.DateTimeFormat(language, {
  weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

function name(zoneName, instant) {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zoneName, timeZoneName: "longOffset" });
  return parts.formatToParts(instant).find((part) => part.type === "timeZoneName").value;
}

function localise(root) {
  for (const moment of root.querySelectorAll(".moment.named")) {
    const instant = new Date(moment.querySelector("time").dateTime);
    if (moment.querySelector(".here") || name(own, instant) === name(zone, instant)) continue;
    const added = document.createElement("span");
    added.className = "here";
    added.textContent = ` ${here.replace("{when}", written.format(instant))}`;
    moment.append(added);
  }
}

// How long it is until what a clock counts down to, in days, hours, minutes and seconds; no unit that says nothing.
function count(clock) {
  const passed = (performance.now() - began) * speed;
  const left = Math.max(0, Math.floor((Date.parse(clock.dataset.until) - Date.parse(now) - passed) / 1000));
  const shown = [Math.floor(left / 86400), Math.floor(left / 3600) % 24, Math.floor(left / 60) % 60, left % 60];
  clock.querySelectorAll("b").forEach((figure, i) => {
    if (figure.textContent !== String(shown[i])) figure.textContent = shown[i];
  });
  const units = clock.children;
  if (units.length === 4) {
    units[0].hidden = !shown[0];
    units[1].hidden = !shown[0] && !shown[1];
    units[2].hidden = left < 60;
    units[3].hidden = Boolean(shown[0] || shown[1]);
    clock.classList.toggle("soon", left > 0 && left <= SOON);
  }
  if (left > 0) clock.dataset.runs = "";
  else if ("runs" in clock.dataset) {
    delete clock.dataset.runs;
    document.dispatchEvent(new Event("due"));
  }
}

localise(document);
document.addEventListener("replaced", (event) => {
  localise(event.target);
  event.target.querySelectorAll(".countdown").forEach(count);
});
function tick() {
  document.querySelectorAll(".countdown").forEach(count);
}

tick();
setInterval(tick, 1000);
