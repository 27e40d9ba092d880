fetch("noopener-fetch").finally(() => { document.documentElement.dataset.state = "done"; });
