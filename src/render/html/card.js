"use strict";
// Filters, "open all", and links that open the criterion they lead to. Without it the page is whole.
(() => {
  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const nothing = document.getElementById("nothing");
  const openAll = document.getElementById("open-all");
  const criteria = [...document.querySelectorAll("details.criterion")];

  function applyFilters() {
    const chosen = new FormData(form);
    const levels = chosen.getAll("level");
    const cap = chosen.get("cap");
    let count = 0;
    for (const criterion of criteria) {
      let hasLevel = false;
      for (const rating of criterion.querySelectorAll("[data-level]")) {
        const matches = levels.length === 0 || levels.includes(rating.dataset.level);
        rating.hidden = !matches;
        hasLevel ||= matches;
      }
      const hasCap = cap === "" || (cap === "capped") === "capped" in criterion.dataset;
      criterion.hidden = !(hasLevel && hasCap);
      count += criterion.hidden ? 0 : 1;
    }
    shown.textContent = `${count} of ${criteria.length} shown`;
    nothing.hidden = count > 0;
  }

  function labelButton() {
    openAll.textContent = criteria.every((one) => one.open) ? "Close all" : "Open all";
  }

  function openLinked() {
    const linked = document.getElementById(location.hash.slice(1));
    if (criteria.includes(linked)) {
      if (linked.hidden) {
        form.reset();
        applyFilters();
      }
      linked.open = true;
      linked.scrollIntoView();
    }
  }

  form.addEventListener("change", applyFilters);
  form.addEventListener("submit", (event) => event.preventDefault());
  // The fields have their old values until the event is over.
  form.addEventListener("reset", () => setTimeout(applyFilters));
  openAll.addEventListener("click", () => {
    const open = !criteria.every((one) => one.open);
    for (const one of criteria) one.open = open;
  });
  for (const one of criteria) one.addEventListener("toggle", labelButton);
  window.addEventListener("hashchange", openLinked);

  // Paper shows everything, the evidence too.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
  });

  form.hidden = false;
  applyFilters();
  openLinked();
})();
