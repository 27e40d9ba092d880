fetch("popup-fetch").finally(() => { document.documentElement.dataset.state = "done"; });
