// Everything that takes a script to ask for. The page says data-state="done" on <html> when all of it was asked.
const given = new URLSearchParams(location.search);
const here = location.pathname.replace(/[^/]*$/, "");

// Where a kind is refused (a policy, an old browser), the others go on; the test misses what was not asked.
const ask = async (what) => {
  try { await what(); } catch (error) { console.log(String(error)); }
};
const told = (target, event = "message") => new Promise((resolve, reject) => {
  target.addEventListener(event, resolve, { once: true });
  target.addEventListener("error", reject, { once: true });
});
const socket = async (url) => {
  const opened = new WebSocket(url);
  await told(opened, "open");
  opened.close();
};

const kinds = [
  () => import("./imported-later.js"),
  () => import("./data.json", { with: { type: "json" } }),
  () => fetch("fetch"),
  () => fetch("fetch-post", { method: "POST", body: "x" }),
  () => fetch("fetch-keepalive", { method: "POST", body: "x", keepalive: true }),
  () => fetch("redirect"),
  () => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = resolve;
    request.open("GET", "xhr");
    request.send();
  }),
  () => navigator.sendBeacon("beacon", "x"),
  () => fetchLater("fetch-later", { activateAfter: 0 }),
  async () => {
    const events = new EventSource("events");
    await told(events);
    events.close();
  },
  () => socket("ws"),
  () => told(new Worker("worker.js")),
  () => told(new Worker("module-worker.js", { type: "module" })),
  () => {
    const source = `fetch(${JSON.stringify(new URL("blob-worker-fetch", location.href).href)}).then(() => postMessage(1))`;
    return told(new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
  },
  async () => {
    const { port } = new SharedWorker("shared-worker.js");
    port.start();
    await told(port);
  },
  async () => {
    await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) await told(navigator.serviceWorker, "controllerchange");
    await fetch("through-service-worker");
  },
  () => CSS.paintWorklet.addModule("paint-worklet.js"),
  () => new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule("audio-worklet.js"),
  () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    return frame.contentWindow.fetch(new URL("blank-frame-fetch", location.href));
  },
  // Pages that claim to be someone else
  () => fetch("forged", { headers: {
    "X-Paracosm-Lease": "127.99.99.99", "X-Forwarded-For": "127.99.99.99", "X-Real-IP": "127.99.99.99",
    "Forwarded": "for=127.99.99.99;by=127.99.99.99", "Proxy-Authorization": "Basic Zm9yZ2VkOng=", "Host": "forged",
  } }),
  () => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = resolve;
    request.open("POST", "forged-xhr");
    request.setRequestHeader("X-Paracosm-Lease", "127.99.99.99");
    request.setRequestHeader("Via", "127.99.99.99");
    request.send("x");
  }),
];

// Other hosts: another service, another lease's address, a foreign name.
for (const name of ["other", "direct", "foreign"]) {
  const origin = given.get(name);
  if (!origin) continue;
  kinds.push(
    () => fetch(`${origin}${here}${name}-no-cors`, { mode: "no-cors" }),
    () => fetch(`${origin}${here}${name}-cors`, { method: "PUT", headers: { "X-Own": "1" }, body: "x" }),
    () => socket(`${origin.replace("http", "ws")}${here}${name}-ws`),
    () => told(Object.assign(new Image(), { src: `${origin}${here}${name}.svg` }), "load"),
    () => {
      const frame = Object.assign(document.createElement("iframe"), { src: `${origin}${here}${name}-frame` });
      document.body.append(frame);
      return told(frame, "load");
    },
  );
}

document.querySelector("#popup").onclick = () => window.open("popup.html", "_blank", "width=300,height=300");

addEventListener("load", async () => {
  await Promise.all(kinds.map(ask));
  document.documentElement.dataset.state = "done";
});
