importScripts("worker-imported.js");
const request = new XMLHttpRequest();
request.open("GET", "worker-xhr", false);
request.send();
const opened = (target, event) => new Promise((resolve) => target.addEventListener(event, resolve));
const events = new EventSource("worker-events");
const socket = new WebSocket(new URL("worker-ws", location.href).href.replace("http", "ws"));
const nested = new Worker("nested-worker.js");
Promise.all([fetch("worker-fetch"), opened(events, "message"), opened(socket, "open"), opened(nested, "message")])
  .then(() => { events.close(); socket.close(); postMessage("done"); });
