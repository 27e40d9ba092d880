importScripts("service-worker-imported.js");
const install = async () => {
  await fetch("service-worker-fetch");
  await (await caches.open("everything")).add("service-worker-cached");
};
oninstall = (event) => event.waitUntil(install().then(() => skipWaiting()));
onactivate = (event) => event.waitUntil(registration.navigationPreload.enable().then(() => clients.claim()));
onfetch = (event) => {
  if (event.request.url.endsWith("/through-service-worker")) event.respondWith(fetch(event.request));
  if (event.request.mode === "navigate" && event.request.url.endsWith("/preloaded-navigation.html")) {
    event.respondWith(event.preloadResponse.then((response) => response || fetch(event.request)));
  }
};
