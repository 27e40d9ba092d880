fetch("nested-worker-fetch").then(() => postMessage("done"));
