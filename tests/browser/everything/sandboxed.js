fetch("sandboxed-fetch").finally(() => { document.documentElement.dataset.state = "done"; });
