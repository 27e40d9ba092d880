importScripts("shared-worker-imported.js");
onconnect = ({ ports: [port] }) => fetch("shared-worker-fetch").then(() => port.postMessage("done"));
