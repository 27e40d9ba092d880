// Keeps a page's regions as the world is. A region is an element with an id and data-live, the names of the tables it
// shows (or *); when one of them changes, the page (or data-live-src) is fetched and the element with that id put in.
(() => {
  const url = document.body.dataset.liveUrl;
  if (!url) return;
  const stale = new Set(); // ids of regions that wait to be fetched
  let timer = 0, busy = false, pressed = null;

  function mark(tables) {
    for (const region of document.querySelectorAll("[data-live][id]")) {
      const shown = region.dataset.live.split(/\s+/);
      if (tables.includes("*") || shown.includes("*") || shown.some((t) => tables.includes(t))) stale.add(region.id);
    }
    soon();
  }
  function soon() {
    clearTimeout(timer);
    if (stale.size) timer = setTimeout(refresh, 30);
  }
  // Someone is in the middle of something here: it would be lost. (The page's own script keeps what is data-live-kept.)
  function inUse(region) {
    if (pressed && region.contains(pressed)) return true; // a click needs its button from down to up
    const field = document.activeElement?.closest("input:not([data-live-kept]), textarea, select, [contenteditable]");
    return (field && region.contains(field)) || region.querySelector("dialog[open], details[open], :popover-open") ||
      region.matches("dialog[open], details[open]") ||
      [...region.querySelectorAll("input:not([type=hidden]), textarea")].some((f) => f.value !== f.defaultValue);
  }
  async function refresh() {
    if (busy) return soon();
    const ready = [...stale].map((id) => document.getElementById(id)).filter((r) => r && !inUse(r));
    if (!ready.length) return;
    busy = true;
    const bySource = Map.groupBy(ready, (r) => r.dataset.liveSrc || location.href);
    for (const [source, regions] of bySource) {
      for (const region of regions) stale.delete(region.id);
      const page = await load(source).catch(() => null);
      for (const region of page ? regions : []) put(region, page.getElementById(region.id));
    }
    busy = false;
    soon();
  }
  async function load(source) {
    const answer = await fetch(source, { headers: { "X-Live": "1" } });
    if (!answer.ok || answer.redirected) return null; // signed out, or gone
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }
  // htmx marks what it has taken up: that alone is no difference.
  function isLike(region, fresh) {
    const copy = region.cloneNode(true);
    for (const taken of [copy, ...copy.querySelectorAll("[data-htmx-powered]")]) taken.removeAttribute("data-htmx-powered");
    return copy.isEqualNode(fresh);
  }
  function put(region, fresh) {
    if (!fresh || !region.isConnected || isLike(region, fresh)) return;
    if (inUse(region)) return stale.add(region.id); // since we asked
    const { scrollTop, scrollLeft } = region;
    const focused = region.contains(document.activeElement) && document.activeElement.id;
    region.replaceWith(document.adoptNode(fresh));
    Object.assign(fresh, { scrollTop, scrollLeft });
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    window.htmx?.process(fresh);
    fresh.dispatchEvent(new CustomEvent("live:replaced", { bubbles: true }));
  }
  document.addEventListener("pointerdown", (down) => { pressed = down.target; }, true);
  for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => { pressed = null; soon(); }, true);
  for (const event of ["focusout", "close", "toggle", "reset"]) document.addEventListener(event, soon, true);

  // A browser opens few connections to a host, so of all its tabs one listens and tells the others. Each compares how
  // far the world has come (seq) with what it has seen, and so finds out what it missed before it listened.
  const tabs = new BroadcastChannel(url);
  let seen = document.body.dataset.liveSeq, leading = false, wait = 500;
  function hear({ tables, seq }) {
    if (tables.length || seq !== seen) mark(tables.length ? tables : ["*"]);
    seen = seq;
  }
  function tell(news) {
    tabs.postMessage(news);
    hear(news);
  }
  tabs.onmessage = ({ data }) => {
    if (data.tables) hear(data);
    else if (leading) tabs.postMessage({ tables: [], seq: seen });
  };
  function listen() {
    leading = true;
    const stream = new EventSource(url);
    stream.onopen = () => { wait = 500; };
    stream.addEventListener("here", (at) => tell({ tables: [], seq: at.lastEventId }));
    stream.onmessage = (change) => tell({ tables: change.data.split(" "), seq: change.lastEventId });
    stream.onerror = () => { // a lost connection it takes up again itself
      if (stream.readyState === EventSource.CLOSED) setTimeout(listen, wait = Math.min(wait * 2, 60000));
    };
  }
  tabs.postMessage({}); // asks whoever leads
  if (navigator.locks) navigator.locks.request(`live ${url}`, () => new Promise(listen));
  else listen();
})();
