// The search runs in a worker, which a page that is opened as a file may not start: there a hidden frame takes its place.
(() => {
  "use strict";
  if (location.protocol !== "file:") return;
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      const load = (path) => new Promise((loaded, failed) => {
        const script = inside.document.createElement("script");
        script.src = path;
        script.onload = loaded;
        script.onerror = failed;
        inside.document.body.append(script);
      });
      inside.importScripts = (...paths) => paths.reduce((before, path) => before.then(() => load(path)), Promise.resolve());
      this.inside = inside;
      this.ready = load(String(url));
      this.frame = frame;
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
})();
