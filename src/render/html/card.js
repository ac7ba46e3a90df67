"use strict";
// Filters, "open all", and links that open the criterion they lead to. Without it the page is whole.
(() => {
  const filters = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const nothing = document.getElementById("nothing");
  const openAll = document.getElementById("open-all");
  const criteria = [...document.querySelectorAll("details.criterion")];

  function chosen(name) {
    return [...filters.querySelectorAll(`[name=${name}]:checked`)].map((input) => input.value);
  }

  function applyFilters() {
    const levels = chosen("level");
    const [cap] = chosen("cap");
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

  function clearFilters() {
    for (const input of filters.querySelectorAll("input")) input.checked = input.defaultChecked;
    applyFilters();
  }

  function labelButton() {
    openAll.textContent = criteria.every((one) => one.open) ? "Close all" : "Open all";
  }

  function openLinked() {
    const linked = document.getElementById(location.hash.slice(1));
    if (criteria.includes(linked)) {
      if (linked.hidden) {
        clearFilters();
      }
      linked.open = true;
      linked.scrollIntoView();
    }
  }

  filters.addEventListener("change", applyFilters);
  document.getElementById("clear").addEventListener("click", clearFilters);
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

  filters.hidden = false;
  applyFilters();
  openLinked();
})();
