// Colours and suits change as soon as they are chosen; the server keeps the choice in a cookie.

document.documentElement.classList.add("script");
for (const form of document.querySelectorAll("form.display")) {
  form.addEventListener("change", () => {
    const chosen = new FormData(form);
    document.documentElement.dataset.theme = chosen.get("theme");
    document.documentElement.dataset.suits = chosen.get("suits");
    fetch(form.action, { method: "POST", body: new URLSearchParams(chosen), redirect: "manual" });
  });
}
