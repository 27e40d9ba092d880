import "./module-worker-imported.js";
await fetch("module-worker-fetch");
postMessage("done");
