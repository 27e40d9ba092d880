addEventListener("pagehide", () => {
  fetch("unload-keepalive", { method: "POST", body: "x", keepalive: true });
  navigator.sendBeacon("unload-beacon", "x");
});
