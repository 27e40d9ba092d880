fetch("srcdoc-fetch");
